/// How new parts of a JSON5 text are written: as the rest of it.
struct JSON5Style {
  let newline: String
  /// The white space of one level.
  let unit = "  "
  /// Whether the names of fields have quotation marks.
  let isQuoted: Bool

  /// The longest line that an object or a list may need to be written in one line.
  private static let maximumLine = 100

  init(of text: [Unicode.Scalar], _ root: JSON5Value) {
    let end = text.firstIndex(of: "\n") ?? 0
    newline = end > 0 && text[end - 1] == "\r" ? "\r\n" : "\n"
    if case .object(let fields) = root.content, let first = fields.first {
      isQuoted = text[first.start] == "\"" || text[first.start] == "'"
    } else {
      isQuoted = true
    }
  }

  /// Returns the white space at the beginning of the line of a position.
  func indentation(at position: Int, in text: [Unicode.Scalar]) -> String {
    let start = text[..<position].lastIndex(where: \.isLineEnd).map { $0 + 1 } ?? 0
    let blanks = text[start..<position].prefix { $0 == " " || $0 == "\t" }
    return String(String.UnicodeScalarView(blanks))
  }

  func name(_ name: String) -> String {
    let isWord =
      name.first?.isLetter == true
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0)
      }
    return isQuoted || !isWord ? JSON5Scanner.json(name) : name
  }

  /// Returns the text of a value, in one line if it is short.
  ///
  /// - Parameter indentation: That of the line in which the value begins.
  func text(_ value: JSON5Value, indentation: String) -> String {
    let line = oneLine(value)
    if indentation.count + line.count <= Self.maximumLine { return line }
    let inner = indentation + unit
    func block(_ open: String, _ items: [String], _ close: String) -> String {
      open + newline + items.map { inner + $0 }.joined(separator: "," + newline) + newline
        + indentation + close
    }
    return switch value.content {
    case .scalar(let json): json
    case .list(let values):
      block("[", values.map { text($0, indentation: inner) }, "]")
    case .object(let fields):
      block(
        "{", fields.map { "\(name($0.name)): \(text($0.value, indentation: inner))" }, "}")
    }
  }

  private func oneLine(_ value: JSON5Value) -> String {
    switch value.content {
    case .scalar(let json): json
    case .list(let values): "[" + values.map(oneLine).joined(separator: ", ") + "]"
    case .object(let fields):
      "{" + fields.map { "\(name($0.name)): \(oneLine($0.value))" }.joined(separator: ", ") + "}"
    }
  }
}
