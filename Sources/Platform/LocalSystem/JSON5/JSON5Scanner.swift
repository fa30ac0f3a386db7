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
  private static let maximumDepth = 64

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

extension JSON5Scanner {
  /// Skips white space and comments.
  mutating func skipBlanks() throws(SyntaxError) {
    while let next {
      if next.isBlank {
        position += 1
      } else if next == "/" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(SyntaxError) {
    let start = position
    position += 1
    switch next {
    case "/":
      while let next, !next.isLineEnd { position += 1 }
    case "*":
      position += 1
      while let next {
        position += 1
        if next == "*", consume("/") { return }
      }
      throw error("the comment has no '*/'", at: start)
    default: throw error("a comment begins with '//' or '/*'", at: start)
    }
  }
}

extension Unicode.Scalar {
  var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

  var isBlank: Bool {
    switch self {
    case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
    default: isLineEnd || value > 0x7F && properties.generalCategory == .spaceSeparator
    }
  }
}

extension JSON5Scanner {
  /// Scans a quoted string.
  ///
  /// - Returns: The contents, with escape sequences replaced.
  mutating func string() throws(SyntaxError) -> String {
    let start = position
    let quote = text[position]
    position += 1
    var contents = String.UnicodeScalarView()
    while let next {
      if consume(quote) { return String(contents) }
      if next == "\n" || next == "\r" {
        throw error("the text that begins with \(quote) does not end on its line", at: start)
      }
      position += 1
      if next == "\\" {
        if let scalar = try escape() { contents.append(scalar) }
      } else {
        contents.append(next)
      }
    }
    throw error("the text that begins with \(quote) does not end", at: start)
  }

  /// Scans an escape sequence after its backslash.
  ///
  /// - Returns: The character; `nil` for an escaped line end, which is omitted.
  private mutating func escape() throws(SyntaxError) -> Unicode.Scalar? {
    let start = position - 1
    guard let next else { throw error("the file ends after a backslash", at: start) }
    position += 1
    switch next {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "x": return try code(2, start)
    case "u": return try code(4, start)
    case "0":
      if let next = self.next, ("0"..."9").contains(next) { fallthrough }
      return "\0"
    case "1"..."9":
      throw error("a digit cannot follow a backslash: write \\x and two digits", at: start)
    default:
      if next == "\r" { _ = consume("\n") }
      return next.isLineEnd ? nil : next
    }
  }

  /// Returns the value of `count` hexadecimal digits at `start`; `nil` if these are not all hexadecimal digits.
  func code(at start: Int, count: Int) -> UInt32? {
    guard start + count <= text.count else { return nil }
    let digits = text[start..<start + count]
    guard digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else { return nil }
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }

  private mutating func code(_ count: Int, _ start: Int) throws(SyntaxError) -> Unicode.Scalar {
    guard let code = code(at: position, count: count) else {
      throw error("\\\(text[position - 1]) needs \(count) hexadecimal digits", at: start)
    }
    position += count
    if let scalar = Unicode.Scalar(code) { return scalar }
    // The first or second half of a surrogate pair.
    guard code < 0xDC00, consume("\\"), consume("u"), let other = self.code(at: position, count: 4),
      (0xDC00...0xDFFF).contains(other),
      let scalar = Unicode.Scalar(0x10000 + (code - 0xD800) << 10 + (other - 0xDC00))
    else {
      throw error(
        "half of a surrogate pair is not a character: write the character itself", at: start)
    }
    position += 4
    return scalar
  }
}

extension JSON5Scanner {
  /// Scans an unquoted field name.
  mutating func identifier() throws(SyntaxError) -> String {
    let start = position
    var name = String.UnicodeScalarView()
    while var next {
      var end = position + 1
      if next == "\\" {
        guard end < text.count, text[end] == "u", let code = code(at: end + 1, count: 4),
          let scalar = Unicode.Scalar(code)
        else { break }
        next = scalar
        end += 5
      }
      guard next.continuesName, !name.isEmpty || next.beginsName else { break }
      name.append(next)
      position = end
    }
    if !name.isEmpty { return String(name) }
    guard let next else { throw error("the file ends where a field name is expected") }
    throw error(
      "an unquoted field name cannot begin with \(Self.shown(next)): put it in quotes", at: start)
  }

  /// Scans a number, `true`, `false` or `null`.
  ///
  /// - Returns: The value in JSON.
  mutating func word() throws(SyntaxError) -> String {
    let start = position
    while let next, next.belongsToWord { position += 1 }
    let word = text[start..<position]
    if word.isEmpty {
      guard let next else { throw error("the file ends where a value is expected") }
      throw error("a value cannot begin with \(Self.shown(next))")
    }
    let name = String(String.UnicodeScalarView(word))
    if ["true", "false", "null"].contains(name) { return name }
    if ["Infinity", "NaN"].contains(name.drop { $0 == "+" || $0 == "-" }) {
      throw error("'\(name)' is not a finite number: write a finite one", at: start)
    }
    if let number = JSON5Number(word)?.json {
      if Double(number)?.isFinite == true { return number }
      throw error("the number '\(name.prefix(40))' is too large", at: start)
    }
    throw error(
      "'\(name.prefix(40))' is not a value: write a text in quotes, a number, true, false, null, a list or "
        + "an object", at: start)
  }
}

extension Unicode.Scalar {
  /// Source: ECMAScript 5.1, 7.6.
  fileprivate var beginsName: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      true
    default: self == "$" || self == "_"
    }
  }

  fileprivate var continuesName: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
    default: beginsName || self == "\u{200C}" || self == "\u{200D}"
    }
  }

  fileprivate var belongsToWord: Bool {
    continuesName || self == "+" || self == "-" || self == "." || self == "\\"
  }
}

/// A JSON5 number converted to JSON: decimal, without a plus sign, and with digits on both sides of a decimal point.
struct JSON5Number {
  let json: String

  /// - Returns: `nil` if the word is not a number.
  init?(_ word: ArraySlice<Unicode.Scalar>) {
    var rest = word
    var sign = ""
    if let first = rest.first, first == "+" || first == "-" {
      if first == "-" { sign = "-" }
      rest.removeFirst()
    }
    guard let magnitude = Self.hexadecimal(rest) ?? Self.decimal(rest) else { return nil }
    json = sign + magnitude
  }

  private static func hexadecimal(_ word: ArraySlice<Unicode.Scalar>) -> String? {
    let text = String(String.UnicodeScalarView(word))
    guard text.hasPrefix("0x") || text.hasPrefix("0X"),
      word.dropFirst(2).allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit })
    else { return nil }
    // `UInt64.init` fails for an empty string and for a number above 64 bits.
    return UInt64(text.dropFirst(2), radix: 16).map { "\($0)" }
  }

  private static func decimal(_ word: ArraySlice<Unicode.Scalar>) -> String? {
    var rest = word
    let whole = digits(&rest)
    var fraction = ""
    if rest.first == "." {
      rest.removeFirst()
      fraction = digits(&rest)
    }
    if whole.isEmpty && fraction.isEmpty || whole.count > 1 && whole.hasPrefix("0") { return nil }
    var exponent = ""
    if rest.first == "e" || rest.first == "E" {
      rest.removeFirst()
      exponent = "e"
      if let sign = rest.first, sign == "+" || sign == "-" {
        exponent += "\(sign)"
        rest.removeFirst()
      }
      let power = digits(&rest)
      if power.isEmpty { return nil }
      exponent += power
    }
    if !rest.isEmpty { return nil }
    return (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : ".\(fraction)") + exponent
  }

  private static func digits(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return String(String.UnicodeScalarView(digits))
  }
}
