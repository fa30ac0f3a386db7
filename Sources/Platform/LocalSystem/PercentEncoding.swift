/// The encoding of text in URIs.
///
/// Source: RFC 3986, section 2.1.
package enum PercentEncoding {
  /// Returns the text with `%` and two hexadecimal digits for each byte but those of ASCII letters, digits and `others`.
  package static func encode(_ text: String, except others: String = "") -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        String(UnicodeScalar(byte))
      default: others.utf8.contains(byte) ? String(UnicodeScalar(byte)) : encode(byte)
      }
    }.joined()
  }

  package static func encode(_ byte: UInt8) -> String {
    "%" + String(byte, digits: 2, radix: 16, uppercase: true)
  }
}
