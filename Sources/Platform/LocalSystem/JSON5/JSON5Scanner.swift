/// Makes JSON of JSON5, and knows where each value stands and what is wrong with a text that is not JSON5.
///
/// Foundation's decoder has a mode for JSON5, but gives no position of a value, and none of a syntax error that a
/// program could use; it takes the last of two fields of one name without a word; and the Foundation of Swift 6.3
/// refuses white space beyond ASCII and stops the program at some numbers. Its JSON is sound, so it decodes what
/// this makes.
///
/// Source: *The JSON5 Data Interchange Format 1.0.0*.
struct JSON5Scanner {
  struct SyntaxError: Error, Equatable {
    /// Unicode scalars from the beginning.
    let position: Int
    /// What is wrong, and what to write.
    let reason: String
  }

  let text: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  /// Lists and objects in each other.
  static let maximumDepth = 64

  init(_ text: [Unicode.Scalar]) { self.text = text }

  /// Reads the whole text.
  static func scan(_ text: [Unicode.Scalar]) throws(SyntaxError) -> JSON5Value {
    var scanner = JSON5Scanner(text)
    try scanner.skipBlanks()
    if scanner.position == text.count { throw scanner.error("there is nothing in it: write {}") }
    let value = try scanner.value()
    try scanner.skipBlanks()
    if let next = scanner.next {
      throw scanner.error("\(shown(next)) follows the end of the whole: remove what is too much")
    }
    return value
  }

  var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  func error(_ reason: String, at place: Int? = nil) -> SyntaxError {
    SyntaxError(position: place ?? position, reason: reason)
  }

  /// Takes the next character if it is this one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
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
      let place = position
      let name = try fieldName()
      try skipBlanks()
      guard take(":") else { throw error("a ':' is missing after '\(name)'") }
      try skipBlanks()
      fields.append(JSON5Value.Field(name: name, start: place, value: try value()))
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

  /// Takes the opening bracket.
  private mutating func enter(_ bracket: Unicode.Scalar) throws(SyntaxError) -> Int {
    defer { position += 1 }
    depth += 1
    if depth > Self.maximumDepth {
      throw error("lists and objects are nested more than \(Self.maximumDepth) deep")
    }
    return position
  }

  /// Takes the closing bracket, or the comma before what follows.
  ///
  /// - Parameter item: What there was before; `nil` after the opening bracket.
  /// - Returns: Whether it was the bracket.
  private mutating func leave(
    _ bracket: Unicode.Scalar, _ start: Int, after item: String?
  ) throws(SyntaxError) -> Bool {
    try skipBlanks()
    if let item, next != bracket, next != nil {
      guard take(",") else { throw error("a comma or '\(bracket)' is missing after \(item)") }
      try skipBlanks()
    }
    if next == nil {
      let place = JSON5Place(of: start, in: text)
      throw error("the file ends before the '\(bracket)' of the '\(text[start])' in \(place)")
    }
    guard take(bracket) else { return false }
    depth -= 1
    return true
  }

  private mutating func fieldName() throws(SyntaxError) -> String {
    if next == "\"" || next == "'" { return try string() }
    return try identifier()
  }

  /// A string of JSON.
  static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// For messages.
  static func shown(_ scalar: Unicode.Scalar) -> String {
    let isVisible = ![.control, .format, .surrogate, .unassigned, .privateUse].contains(
      scalar.properties.generalCategory)
    return isVisible
      ? "'\(scalar)'" : "the character U+\(String(scalar.value, radix: 16, uppercase: true))"
  }
}
