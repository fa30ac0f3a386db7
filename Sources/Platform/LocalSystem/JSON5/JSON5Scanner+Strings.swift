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
