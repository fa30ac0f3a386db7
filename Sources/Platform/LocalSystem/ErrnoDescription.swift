import Glibc

/// Returns the system's description of an `errno` value. Thread-safe, unlike `strerror`.
package func errnoDescription(_ code: CInt) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}
