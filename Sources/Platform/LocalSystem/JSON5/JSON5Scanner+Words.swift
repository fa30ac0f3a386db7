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
