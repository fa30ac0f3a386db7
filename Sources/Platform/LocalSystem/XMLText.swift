extension String {
  /// The text as the content of an element or an attribute of XML. Characters that XML cannot represent are replaced by
  /// U+FFFD.
  ///
  /// Source: *Extensible Markup Language 1.0*, 2.2 and 2.4.
  package var xmlEscaped: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
