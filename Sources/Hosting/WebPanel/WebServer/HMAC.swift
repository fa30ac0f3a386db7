import CWebSockets
import LocalSystem

/// Codes that prove the knowledge of a key.
package enum HMAC {
  /// Returns the 64 hexadecimal digits of HMAC-SHA-256.
  ///
  /// Realtime: no. Threads: any. A ``WebServer`` must have been started before, because libcrypto is loaded with
  /// libwebsockets, which depends on it.
  ///
  /// Source: RFC 2104; FIPS 180-4.
  package static func sha256(key: String, _ message: String) -> String {
    var code = [UInt8](repeating: 0, count: 32)
    var (key, message) = (key, message)
    let isDone = key.withUTF8 { key in
      message.withUTF8 { message in
        // The pointers of empty texts may be null, which C does not take.
        withUnsafePointer(to: UInt8(0)) { none in
          web_hmac_sha256(
            key.baseAddress ?? none, key.count, message.baseAddress ?? none, message.count, &code)
        }
      }
    }
    precondition(isDone, "libcrypto cannot compute HMAC-SHA-256")
    return code.map { String($0, digits: 2, radix: 16) }.joined()
  }
}

/// Returns 128 random bits as 32 hexadecimal digits.
package func makeSecret() -> String {
  (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), digits: 16, radix: 16) }.joined()
}
