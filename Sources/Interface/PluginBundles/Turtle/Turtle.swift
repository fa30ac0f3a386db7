import LocalSystem

/// The syntax of values in Turtle.
///
/// Source: RDF 1.1 Turtle, W3C Recommendation, 2014.
enum Turtle {
  /// Returns a string literal. Any text is allowed.
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        literal += "\\u" + String(scalar.value, digits: 4, radix: 16, uppercase: true)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Returns a reference to a resource. Characters that Turtle does not allow there are percent-encoded.
  static func iri(_ text: String) -> String {
    var reference = "<"
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || scalar.value == 0x7F
        || "<>\"{}|^`\\".unicodeScalars.contains(scalar)
      {
        reference += PercentEncoding.encode(UInt8(scalar.value))
      } else {
        reference.unicodeScalars.append(scalar)
      }
    }
    return reference + ">"
  }

  /// Returns the shortest number that is the value among all `Float` values.
  ///
  /// - Parameter value: A finite number.
  static func number(_ value: Float) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    return "\(value)"
  }
  /// Returns the same as ``number(_:)`` with a point and without an exponent.
  ///
  /// Turtle gives such a number the type `xsd:decimal`, and hosts read it as a float. Integers and numbers with an
  /// exponent have other types.
  ///
  /// - Parameter value: A finite number.
  static func decimal(_ value: Float) -> String {
    let text = "\(value)"
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...])
    else { return text }
    let digits = text[..<mark].filter(\.isNumber)
    let sign = value < 0 ? "-" : ""
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
    // A number that is not whole has no positive exponent.
    return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count) + ".0"
  }
}
