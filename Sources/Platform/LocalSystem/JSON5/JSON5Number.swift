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
