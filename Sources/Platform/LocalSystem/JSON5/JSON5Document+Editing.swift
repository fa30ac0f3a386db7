/// Changes that keep the rest of the text, such as comments and white space, as it is.
extension JSON5Document {
  /// The text, as UTF-8.
  package var bytes: [UInt8] { Array(String(String.UnicodeScalarView(text)).utf8) }

  /// Returns JSON with line breaks and indentation, as far as it is long. Invalid JSON is returned as it is.
  package static func formatted(_ json: String) -> String {
    guard let document = try? JSON5Document(Array(json.utf8)) else { return json }
    return JSON5Style(of: document.text, document.root).text(document.root, indentation: "")
  }

  /// Whether there is a value at a path.
  package func contains(_ path: [JSON5Step]) -> Bool { root[path] != nil }

  /// Whether there is a value other than `null` at a path.
  package func sets(_ path: [JSON5Step]) -> Bool {
    if case .scalar("null")? = root[path]?.content { return false }
    return contains(path)
  }

  /// Returns a document with another value at a path. The object or list that has the value, or will have it, must
  /// exist; a list can become longer by one element.
  ///
  /// - Parameter json: The value, as JSON.
  /// - Throws: ``JSON5File/Failure`` if there is no such object or list, or if `json` is invalid.
  package func setting(
    _ json: String, at path: [JSON5Step]
  ) throws(JSON5File.Failure) -> JSON5Document {
    let style = JSON5Style(of: text, root)
    let new = try JSON5Document(Array(json.utf8)).root
    if let old = root[path] {
      let line = style.indentation(at: old.range.lowerBound, in: text)
      return try replacing([(old.range, style.text(new, indentation: line))])
    }
    guard let step = path.last, let container = root[path.dropLast()] else {
      throw JSON5File.Failure(reason: "there is nothing that could contain '\(path.text)'")
    }
    let others: [(start: Int, end: Int)]
    var name = ""
    switch (step, container.content) {
    case (.field(let field), .object(let fields)):
      others = fields.map { ($0.start, $0.value.range.upperBound) }
      name = style.name(field) + ": "
    case (.element(let index), .list(let values)) where index == values.count:
      others = values.map { ($0.range.lowerBound, $0.range.upperBound) }
    default:
      throw JSON5File.Failure(
        reason: "'\(path.text)' cannot be added here",
        location: location(container.range.lowerBound))
    }
    return try replacing(insertion(of: new, name, after: others, in: container, style))
  }

  /// - Parameter others: The positions of the fields or elements of the container.
  private func insertion(
    of new: JSON5Value, _ name: String, after others: [(start: Int, end: Int)],
    in container: JSON5Value, _ style: JSON5Style
  ) -> [(range: Range<Int>, text: String)] {
    let close = container.range.upperBound - 1
    let start = others.last?.end ?? container.range.lowerBound + 1
    // Behind the last blank and comment before the bracket, so that comments stay with what they follow.
    var end = close
    while end > start, text[end - 1].isBlank { end -= 1 }
    let comma = others.isEmpty ? nil : firstComma(in: start..<close)
    let outer = style.indentation(at: close, in: text)
    if text[start..<close].contains(where: \.isLineEnd) || others.isEmpty {
      let line =
        others.last.map { style.indentation(at: $0.start, in: text) } ?? outer + style.unit
      let item = style.newline + line + name + style.text(new, indentation: line)
      if others.isEmpty {
        return [(end..<close, item + style.newline + outer)]
      }
      if comma != nil { return [(end..<end, item + ",")] }
      if end == start { return [(start..<start, "," + item)] }
      return [(start..<start, ","), (end..<end, item)]
    }
    let item = name + style.text(new, indentation: outer)
    return [(end..<end, (comma == nil ? ", " : " ") + item)]
  }

  /// Returns the position of the first comma outside of comments.
  func firstComma(in range: Range<Int>) -> Int? {
    var scanner = JSON5Scanner(text, at: range.lowerBound)
    // The text is valid, so there is nothing but blanks and a comma.
    try? scanner.skipBlanks()
    return scanner.position < range.upperBound && text[scanner.position] == ","
      ? scanner.position : nil
  }

  func replacing(
    _ changes: [(range: Range<Int>, text: String)]
  ) throws(JSON5File.Failure) -> JSON5Document {
    var result = text
    for change in changes.reversed() {
      result.replaceSubrange(change.range, with: change.text.unicodeScalars)
    }
    return try JSON5Document(Array(String(String.UnicodeScalarView(result)).utf8))
  }
}
