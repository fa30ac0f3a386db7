import Glibc
import LocalSystem

/// Headers of all responses, as texts of C in memory that is never freed.
///
/// `@unchecked Sendable`: the texts are never changed.
struct WebHeaders: @unchecked Sendable {
  /// Names, each with a colon, and values, alternating; `nil` at the end.
  let texts: UnsafePointer<UnsafePointer<CChar>?>

  init(_ headers: KeyValuePairs<String, String>) {
    let all = headers.flatMap { [$0.key, $0.value] }
    let texts = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: all.count + 1)
    for (index, text) in all.enumerated() {
      (texts + index).initialize(to: UnsafePointer(strdup(text)))
    }
    (texts + all.count).initialize(to: nil)
    self.texts = UnsafePointer(texts)
  }
}

/// Texts of C that belong to an object.
///
/// Threads: one at a time.
final class TemporaryHeaders {
  /// Names, each with a colon, and values, alternating; `nil` at the end. Valid as long as the object.
  let texts: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ headers: [(name: String, value: String)]) {
    count = 2 * headers.count
    texts = .allocate(capacity: count + 1)
    for (index, header) in headers.enumerated() {
      (texts + 2 * index).initialize(to: UnsafePointer(strdup(header.name)))
      (texts + 2 * index + 1).initialize(to: UnsafePointer(strdup(header.value)))
    }
    (texts + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(UnsafeMutableRawPointer(mutating: texts[index])) }
    texts.deallocate()
  }
}

extension String {
  /// The text with all bytes but letters, digits and a few signs as percent signs and hexadecimal digits.
  ///
  /// Source: RFC 8187, section 3.2.1.
  var percentEncoded: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + String(byte, digits: 2, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
