extension JSON5Scanner {
  /// Takes the name of a field that is not in quotes.
  mutating func identifier() throws(SyntaxError) -> String {
    let start = position
    var meaning = String.UnicodeScalarView()
    while var next {
      var end = position + 1
      if next == "\\" {
        guard end < text.count, text[end] == "u", let code = code(at: end + 1, count: 4),
          let scalar = Unicode.Scalar(code)
        else { break }
        next = scalar
        end += 5
      }
      guard next.continuesName, !meaning.isEmpty || next.beginsName else { break }
      meaning.append(next)
      position = end
    }
    if !meaning.isEmpty { return String(meaning) }
    guard let next else { throw error("the file ends where the name of a field should be") }
    throw error(
      "the name of a field cannot begin with \(Self.shown(next)): put it into quotes", at: start)
  }

  /// Takes a number, `true`, `false` or `null`.
  ///
  /// - Returns: The same in JSON.
  mutating func word() throws(SyntaxError) -> String {
    let start = position
    while let next, next.belongsToWord { position += 1 }
    let word = text[start..<position]
    if word.isEmpty {
      guard let next else { throw error("the file ends where a value should be") }
      throw error("a value cannot begin with \(Self.shown(next))")
    }
    let name = String(String.UnicodeScalarView(word))
    if ["true", "false", "null"].contains(name) { return name }
    if ["Infinity", "NaN"].contains(name.drop { $0 == "+" || $0 == "-" }) {
      throw error("'\(name)' is no number that a setting can have", at: start)
    }
    if let number = JSON5Number(word)?.json {
      if Double(number)?.isFinite == true { return number }
      throw error("'\(name.prefix(40))' is too large for a number", at: start)
    }
    throw error(
      "'\(name.prefix(40))' is no value: write a text in quotes, a number, true, false, null, a list or "
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
