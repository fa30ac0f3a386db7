/// Text from elsewhere in a form that a terminal, a log or a page shows as it is.
///
/// Files, devices, hosts and pages choose names. A terminal obeys the control characters in them, directional characters
/// change the order in which the rest of a line is read, and characters that are not shown let two names look the same.
extension String {
  /// The string in one line, with each hidden character replaced by its number, as in `\u{1B}` and `\n`, and each byte
  /// that is not UTF-8, as in `\xE9`.
  ///
  /// A printable string does not change.
  package var printable: String {
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
    let text = showingBytes
    guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
    return text.unicodeScalars.map { $0.isHidden ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  /// The string as ``printable``, but with its line feeds.
  package var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
  }

  /// The string as ``printable``, with an ellipsis after 80 characters, to be quoted in an error.
  package var quotable: String {
    // Cut first: the string may be as long as a file.
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(80)))
    return start.printable + (start.utf8.count < utf8.count ? "\u{2026}" : "")
  }

  /// JSON, or JSON5, with each hidden character of its strings as an escape sequence. It decodes to the same value.
  package var printableJSON: String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isHidden || scalar == "\n" || scalar == "\t"
    }
    if unicodeScalars.allSatisfy(isKept) { return self }
    return unicodeScalars.map { isKept($0) ? String($0) : $0.jsonEscape }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, ends a line, changes the direction of writing, or is not shown.
  ///
  /// Source: Unicode Standard Annex 44, *General_Category* and *Default_Ignorable_Code_Point*.
  package var isHidden: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default:
      // The last two variation selectors choose between the forms of an emoji.
      return properties.isDefaultIgnorableCodePoint && value != 0xFE0E && value != 0xFE0F
    }
  }

  /// The character as one or two escape sequences of JSON.
  var jsonEscape: String {
    String(self).utf16.map { "\\u" + String($0, digits: 4, radix: 16) }.joined()
  }
}
