import FoundationEssentials

/// A valid JSON5 text without duplicate fields, with the locations of its values.
package struct JSON5Document: Sendable {
  let root: JSON5Value
  let text: [Unicode.Scalar]

  /// Parses a text.
  ///
  /// - Throws: ``JSON5File/Failure`` with the location of the error.
  package init(_ bytes: [UInt8]) throws(JSON5File.Failure) {
    if let index = Self.firstBadByte(of: bytes) {
      // All bytes before the invalid one are valid UTF-8.
      let before = Array(String(decoding: bytes[..<index], as: UTF8.self).unicodeScalars)
      let byte = String(bytes[index], radix: 16, uppercase: true)
      throw JSON5File.Failure(
        reason: "the byte 0x\(byte) is not UTF-8: save the file as UTF-8",
        location: JSON5Location(of: before.count, in: before))
    }
    text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    do throws(JSON5Scanner.SyntaxError) {
      root = try JSON5Scanner.scan(text)
    } catch {
      throw JSON5File.Failure(
        reason: error.reason, location: JSON5Location(of: error.position, in: text))
    }
    if let (name, first, second) = root.duplicate {
      throw JSON5File.Failure(
        reason: "'\(name)' is a duplicate of the field at \(location(first)): remove one of them",
        location: location(second))
    }
  }

  func location(_ position: Int) -> JSON5Location { JSON5Location(of: position, in: text) }

  /// Returns the location of the value at a path, or of the innermost existing value that would contain it.
  package func location(of path: [JSON5Step]) -> JSON5Location {
    location(root.nearest(to: path).range.lowerBound)
  }

  /// Returns the source text of the value at a path if it is short, otherwise its kind; `nil` if there is no value.
  package func found(at path: [JSON5Step]) -> String? {
    guard let value = root[path] else { return nil }
    switch value.content {
    case .object: return "an object"
    case .list: return "a list"
    case .scalar:
      let source = text[value.range]
      let isShort = source.count <= 40 && !source.contains(where: \.isLineEnd)
      return isShort ? String(String.UnicodeScalarView(source)) : "a long text"
    }
  }

  /// Decodes the root value.
  ///
  /// - Throws: ``JSON5File/Failure`` with the missing or invalid field and its location.
  package func decode<Value: Decodable>(_: Value.Type) throws(JSON5File.Failure) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(root.json.utf8))
    } catch let error as DecodingError {
      throw JSON5File.Failure(error, in: self)
    } catch {
      throw JSON5File.Failure(reason: "it cannot be decoded: \(error)")
    }
  }

  private static func firstBadByte(of bytes: [UInt8]) -> Int? {
    var parser = UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let units): position += units.count
      case .error: return position
      case .emptyInput: return nil
      }
    }
  }
}

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
  private func firstComma(in range: Range<Int>) -> Int? {
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

/// Changes of whole values that keep the text of those parts that do not change.
extension JSON5Document {
  /// Returns a document whose value at a path has the meaning of other JSON. Fields and elements that mean the same keep
  /// their text, and comments remain. If there is no value at the path, it is added as
  /// ``setting(_:at:)`` does.
  ///
  /// - Parameter json: The value, as JSON.
  /// - Throws: ``JSON5File/Failure`` if the value cannot be added, or if `json` is invalid.
  package func merging(
    _ json: String, at path: [JSON5Step]
  ) throws(JSON5File.Failure) -> JSON5Document {
    try merging(JSON5Document(Array(json.utf8)).root, at: path)
  }

  private func merging(
    _ new: JSON5Value, at path: [JSON5Step]
  ) throws(JSON5File.Failure) -> JSON5Document {
    guard let old = root[path] else { return try setting(new.json, at: path) }
    var document = self
    switch (old.content, new.content) {
    case (.scalar(let before), .scalar(let after)) where before == after: return self
    case (.object(let before), .object(let after)):
      for field in after {
        document = try document.merging(field.value, at: path + [.field(field.name)])
      }
      for field in before where !after.contains(where: { $0.name == field.name }) {
        document = try document.removing(path + [.field(field.name)])
      }
    case (.list(let before), .list(let after)):
      for (index, value) in after.enumerated() {
        document = try document.merging(value, at: path + [.element(index)])
      }
      for index in before.indices.dropFirst(after.count).reversed() {
        document = try document.removing(path + [.element(index)])
      }
    default: return try setting(new.json, at: path)
    }
    return document
  }

  /// Returns a document without a field of an object or an element of a list. Comments around it remain.
  ///
  /// - Throws: ``JSON5File/Failure`` if there is no such value.
  package func removing(_ path: [JSON5Step]) throws(JSON5File.Failure) -> JSON5Document {
    guard let step = path.last, let container = root[path.dropLast()], let value = root[path]
    else { throw JSON5File.Failure(reason: "there is no '\(path.text)'") }
    let items: [(start: Int, end: Int)] =
      switch container.content {
      case .object(let fields): fields.map { ($0.start, $0.value.range.upperBound) }
      case .list(let values): values.map { ($0.range.lowerBound, $0.range.upperBound) }
      case .scalar: []
      }
    guard let index = items.firstIndex(where: { $0.end == value.range.upperBound }) else {
      throw JSON5File.Failure(reason: "'\([step].text)' cannot be removed")
    }
    let item = items[index]
    let limit = index + 1 < items.count ? items[index + 1].start : container.range.upperBound - 1
    let comma = firstComma(in: item.end..<limit)
    var removed: [Range<Int>] = []
    // Without a comma after it, the last item leaves the one before it as the last.
    if comma == nil, index > 0, let other = firstComma(in: items[index - 1].end..<item.start) {
      if text[(other + 1)..<item.start].allSatisfy(\.isBlank) {
        return try replacing([(other..<item.end, "")])
      }
      removed.append(other..<other + 1)
    }
    if let comma, text[item.end..<comma].contains(where: { !$0.isBlank }) {
      // A comment lies between the item and its comma.
      removed += [item.start..<item.end, comma..<comma + 1]
    } else {
      removed.append(widened(item.start..<(comma.map { $0 + 1 } ?? item.end)))
    }
    return try replacing(removed.map { ($0, "") })
  }

  /// Returns a range with the line that it leaves empty, or else with the blanks after it.
  private func widened(_ range: Range<Int>) -> Range<Int> {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    let before = text[..<range.lowerBound].reversed().prefix(while: isSpace).count
    let after = text[range.upperBound...].prefix(while: isSpace).count
    let (start, end) = (range.lowerBound - before, range.upperBound + after)
    guard start > 0, text[start - 1].isLineEnd, end < text.count, text[end].isLineEnd else {
      return range.lowerBound..<end
    }
    let isPair = text[end] == "\r" && end + 1 < text.count && text[end + 1] == "\n"
    return start..<end + (isPair ? 2 : 1)
  }
}

/// How new parts of a JSON5 text are written: as the rest of it.
struct JSON5Style {
  fileprivate let newline: String
  /// The white space of one level.
  let unit = "  "
  /// Whether the names of fields have quotation marks.
  private let isQuoted: Bool

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
  fileprivate func indentation(at position: Int, in text: [Unicode.Scalar]) -> String {
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
