extension JSON5Scanner {
  /// Takes a string in quotes.
  ///
  /// - Returns: What it means.
  mutating func string() throws(SyntaxError) -> String {
    let start = position
    let quote = text[position]
    position += 1
    var meaning = String.UnicodeScalarView()
    while let next {
      if take(quote) { return String(meaning) }
      if next == "\n" || next == "\r" {
        throw error("the text that begins with \(quote) does not end in its line", at: start)
      }
      position += 1
      if next == "\\" {
        if let scalar = try escape() { meaning.append(scalar) }
      } else {
        meaning.append(next)
      }
    }
    throw error("the text that begins with \(quote) does not end", at: start)
  }

  /// What follows a backslash; `nil` for the end of a line, which is left out.
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
      throw error("a backslash before a digit means nothing: write \\x and two digits", at: start)
    default:
      if next == "\r" { _ = take("\n") }
      return next.isLineEnd ? nil : next
    }
  }

  /// Hexadecimal digits.
  func code(at place: Int, count: Int) -> UInt32? {
    guard place + count <= text.count else { return nil }
    let digits = text[place..<place + count]
    guard digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else { return nil }
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }

  private mutating func code(_ count: Int, _ start: Int) throws(SyntaxError) -> Unicode.Scalar {
    guard let code = code(at: position, count: count) else {
      throw error("\\\(text[position - 1]) needs \(count) hexadecimal digits", at: start)
    }
    position += count
    if let scalar = Unicode.Scalar(code) { return scalar }
    // The first half of a character above U+FFFF, or the second one.
    guard code < 0xDC00, take("\\"), take("u"), let other = self.code(at: position, count: 4),
      (0xDC00...0xDFFF).contains(other),
      let scalar = Unicode.Scalar(0x10000 + (code - 0xD800) << 10 + (other - 0xDC00))
    else {
      throw error("half of a surrogate pair is no character: write the character itself", at: start)
    }
    position += 4
    return scalar
  }
}
