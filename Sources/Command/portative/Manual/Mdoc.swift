import Configuration
import LocalSystem

/// Text in the language of manual pages.
///
/// Source: `mdoc(7)`.
enum Mdoc {
  /// Escapes the characters that the language would interpret.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "\"": result += "\\(dq"
      // A hyphen that is part of what users type.
      case "-": result += "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u\(String(scalar.value, digits: 4, radix: 16, uppercase: true))]"
      }
    }
    return result
  }

  /// An argument of a macro. A word that is the name of a macro is not one here.
  static func argument(_ text: some StringProtocol) -> String {
    text.count <= 2 ? "\\&\(escaped(text))" : escaped(text)
  }

  /// Running text: each sentence on a line of its own, with options in bold and placeholders in italics.
  ///
  /// - Parameter placeholders: The words in capitals that stand for a value.
  static func sentences(_ text: String, placeholders: Set<String> = []) -> String {
    let words = text.split(whereSeparator: { $0.isWhitespace }).map(String.init)
    var lines: [String] = [""]
    for (index, word) in words.enumerated() {
      let line = lines[lines.count - 1]
      lines[lines.count - 1] = line + (line.isEmpty ? "" : " ") + marked(word, placeholders)
      let next = index + 1 < words.count ? words[index + 1].first : nil
      if word.endsSentence, let next, next.isUppercase || next == "-" || next == "$" {
        lines.append("")
      }
    }
    return lines.map { line in
      // A line that begins so would be a macro.
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }.joined(separator: "\n")
  }

  private static func marked(_ word: String, _ placeholders: Set<String>) -> String {
    let start = word.firstIndex { !"('\"[".contains($0) } ?? word.endIndex
    let body = word[start...]
    let end = (body.lastIndex { !",.;:)'\"]".contains($0) }).map { body.index(after: $0) } ?? start
    let core = body[..<end]
    let font: String
    if core.hasPrefix("-"), core.dropFirst().first?.isLetter == true || core.hasPrefix("--") {
      font = "B"
    } else if placeholders.contains(String(core)) {
      font = "I"
    } else {
      return plain(word)
    }
    return "\(plain(word[..<start]))\\f\(font)\(escaped(core))\\fP\(plain(word[end...]))"
  }

  /// Hyphens between letters remain hyphens, at which lines may break.
  private static func plain(_ text: some StringProtocol) -> String {
    let parts = String(text).split(separator: "-", omittingEmptySubsequences: false)
    let isWord = parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
    return isWord ? parts.map { escaped($0) }.joined(separator: "-") : escaped(text)
  }

  /// Paragraphs with empty lines between them. Indented ones are lists if their lines have two columns, otherwise they are
  /// shown as they are.
  static func paragraphs(_ text: String, placeholders: Set<String> = []) -> String {
    text.paragraphs.enumerated().map { index, paragraph in
      let lines = paragraph.split(separator: "\n").map(String.init)
      guard lines.allSatisfy({ $0.hasPrefix("  ") }) else {
        return (index > 0 ? ".Pp\n" : "") + sentences(paragraph, placeholders: placeholders)
      }
      return items(lines).map(list) ?? literal(lines.map { String($0.dropFirst(2)) })
    }.joined(separator: "\n")
  }

  /// Lines that are shown as they are.
  static func literal(_ lines: [String]) -> String {
    let body = lines.map { line in
      let text = escaped(line)
      return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
    }
    return ".Bd -literal -offset indent\n\(body.joined(separator: "\n"))\n.Ed"
  }

  /// - Parameter items: Words with their explanation.
  static func list(_ items: [(head: String, text: String)]) -> String {
    tagged(items.map { ("Sy \(escaped($0.head))", sentences($0.text)) })
  }

  /// A list of items with macros in their heads.
  ///
  /// - Parameter items: The macros of each head, and the text in the language of manual pages.
  /// - Returns: An empty string if there are no items.
  static func tagged(_ items: [(head: String, body: String)]) -> String {
    if items.isEmpty { return "" }
    let lines = items.map { ".It \($0.head)\n\($0.body)" }
    return ".Bl -tag -width Ds\n\(lines.joined(separator: "\n"))\n.El"
  }

  /// Reads lines of two columns; further lines of an explanation are indented as far as its first.
  private static func items(_ lines: [String]) -> [(head: String, text: String)]? {
    var items: [(head: String, text: String)] = []
    for line in lines.map({ $0.dropFirst(2) }) {
      let columns = line.split(separator: "  ", omittingEmptySubsequences: true)
      if line.hasPrefix("  ") {
        guard !items.isEmpty else { return nil }
        items[items.count - 1].text += " " + line.trimmingSpaces
      } else {
        guard columns.count == 2 else { return nil }
        items.append((columns[0].trimmingSpaces, columns[1].trimmingSpaces))
      }
    }
    return items
  }
}

extension String {
  fileprivate var endsSentence: Bool {
    let end = last { !")'\"".contains($0) }
    return end == "." || end == "?" || end == "!"
  }

  /// The parts between empty lines.
  var paragraphs: [String] {
    split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.isEmpty }.map { $0.joined(separator: "\n") }
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
