import Glibc

/// A system call or C library function that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error number, as in `errno`.
  public let code: CInt
  /// The name of the function.
  package let call: String
  /// If no thread could be started: the limit that was reached, and the remedy.
  private let remedy: String?

  package init(code: CInt = errno, call: String) {
    self.code = code
    self.call = call
    // Found immediately, because other threads may end before the error is reported.
    remedy =
      call == "pthread_create"
      ? ThreadLimit.reached
        ?? "raise the limit (ulimit -u or -v, or TasksMax= of the service), or close other programs"
      : nil
  }

  public var description: String {
    "\(call) failed: \(errnoDescription(code))" + (remedy.map { ": \($0)" } ?? "")
  }
}

/// Returns the system's description of an `errno` value. Thread-safe, unlike `strerror`.
package func errnoDescription(_ code: CInt) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}
