import LocalSystem

/// Functions on text in terminals, where East Asian characters and emoji occupy two columns.
package enum TerminalText {
  /// Returns the number of columns that a text occupies.
  package static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// Returns a text that occupies at most `columns`, truncated with an ellipsis if necessary.
  ///
  /// It is printable, so that a title cannot move the cursor. If only ASCII can be shown, `?` replaces every other
  /// character.
  package static func fitted(_ text: String, columns: Int, isUnicode: Bool) -> String {
    let printable = text.printable
    let shown = isUnicode ? printable : String(printable.map { $0.isASCII ? $0 : "?" })
    if width(shown) <= columns { return shown }
    let ellipsis = isUnicode ? "\u{2026}" : "..."
    var (kept, left) = ("", columns - width(ellipsis))
    guard left > 0 else { return "" }
    for character in shown {
      left -= width(character)
      if left < 0 { break }
      kept.append(character)
    }
    return kept + ellipsis
  }

  private static func width(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(first) ? 2 : 1
    }
  }

  /// Returns whether a character is wide, by approximate blocks.
  ///
  /// Source: Unicode Standard Annex 11, *East Asian Width*.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
      0x1F200...0x1F2FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Returns whether programs should write UTF-8, according to the name of the locale.
  package static func isUnicode(environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let name = names.first { !$0.isEmpty } ?? ""
    // A modifier may follow: `de_DE.UTF-8@euro`.
    return name.lowercased().filter { $0 != "-" }.contains("utf8")
  }
}
