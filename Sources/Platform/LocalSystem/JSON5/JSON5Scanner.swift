/// Converts JSON5 to JSON, with the range of each value and the position and reason of a syntax error.
///
/// Foundation's decoder has a mode for JSON5, but it reports neither the position of a value nor, in usable form, that
/// of a syntax error. It silently accepts duplicate fields and uses the last one. In Swift 6.3 it also refuses white
/// space beyond ASCII and crashes on some numbers. Its JSON decoder is correct, so it decodes the JSON that the scanner
/// produces.
///
/// Source: *The JSON5 Data Interchange Format 1.0.0*.
struct JSON5Scanner {
  struct SyntaxError: Error, Equatable {
    /// The number of Unicode scalars before the error.
    let position: Int
    /// The error and its remedy.
    let reason: String
  }

  let text: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  /// The maximum nesting depth of lists and objects.
  static let maximumDepth = 64

  /// - Parameter position: Where to begin.
  init(_ text: [Unicode.Scalar], at position: Int = 0) {
    self.text = text
    self.position = position
  }

  /// Scans a whole text.
  static func scan(_ text: [Unicode.Scalar]) throws(SyntaxError) -> JSON5Value {
    var scanner = JSON5Scanner(text)
    try scanner.skipBlanks()
    if scanner.position == text.count { throw scanner.error("the file is empty: write {}") }
    let value = try scanner.value()
    try scanner.skipBlanks()
    if let next = scanner.next {
      throw scanner.error("\(shown(next)) follows the end of the value: remove it")
    }
    return value
  }

  var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  func error(_ reason: String, at start: Int? = nil) -> SyntaxError {
    SyntaxError(position: start ?? position, reason: reason)
  }

  /// Consumes the next character if it is `scalar`.
  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(SyntaxError) -> JSON5Value {
    let start = position
    let content: JSON5Value.Content
    switch next {
    case "{": content = .object(try object())
    case "[": content = .list(try list())
    case "\"", "'":
      content = .scalar(json: Self.json(try string()))
    default:
      content = .scalar(json: try word())
    }
    return JSON5Value(range: start..<position, content: content)
  }

  private mutating func object() throws(SyntaxError) -> [JSON5Value.Field] {
    let start = try enter("{")
    var fields: [JSON5Value.Field] = []
    while try !leave("}", start, after: fields.isEmpty ? nil : "a field") {
      let nameStart = position
      let name = try fieldName()
      try skipBlanks()
      guard consume(":") else { throw error("a ':' is missing after '\(name)'") }
      try skipBlanks()
      fields.append(JSON5Value.Field(name: name, start: nameStart, value: try value()))
    }
    return fields
  }

  private mutating func list() throws(SyntaxError) -> [JSON5Value] {
    let start = try enter("[")
    var values: [JSON5Value] = []
    while try !leave("]", start, after: values.isEmpty ? nil : "a value") {
      values.append(try value())
    }
    return values
  }

  /// Consumes an opening bracket.
  ///
  /// - Returns: The position of the bracket.
  private mutating func enter(_ bracket: Unicode.Scalar) throws(SyntaxError) -> Int {
    defer { position += 1 }
    depth += 1
    if depth > Self.maximumDepth {
      throw error("lists and objects are nested more than \(Self.maximumDepth) deep")
    }
    return position
  }

  /// Consumes the closing bracket, or the comma before the next item.
  ///
  /// - Parameters:
  ///   - start: The position of the opening bracket.
  ///   - item: The kind of the previous item; `nil` after the opening bracket.
  /// - Returns: Whether it consumed the closing bracket.
  private mutating func leave(
    _ bracket: Unicode.Scalar, _ start: Int, after item: String?
  ) throws(SyntaxError) -> Bool {
    try skipBlanks()
    if let item, next != bracket, next != nil {
      guard consume(",") else { throw error("a comma or '\(bracket)' is missing after \(item)") }
      try skipBlanks()
    }
    if next == nil {
      let location = JSON5Location(of: start, in: text)
      throw error("the file ends before the '\(bracket)' of the '\(text[start])' at \(location)")
    }
    guard consume(bracket) else { return false }
    depth -= 1
    return true
  }

  private mutating func fieldName() throws(SyntaxError) -> String {
    if next == "\"" || next == "'" { return try string() }
    return try identifier()
  }

  /// Returns a JSON string literal. Hidden characters are escaped, so that files that are edited by hand have none.
  static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case _ where scalar.isHidden: json += scalar.jsonEscape
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// Returns a character in a form for messages.
  static func shown(_ scalar: Unicode.Scalar) -> String {
    let isVisible =
      !scalar.isHidden
      && ![.unassigned, .privateUse].contains(scalar.properties.generalCategory)
    return isVisible
      ? "'\(scalar)'" : "the character U+\(String(scalar.value, radix: 16, uppercase: true))"
  }
}
