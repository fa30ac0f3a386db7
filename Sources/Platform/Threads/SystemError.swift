import Glibc
import LocalSystem

/// A system call or C library function that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error number, as in `errno`.
  package let code: CInt
  /// The name of the function.
  package let call: String

  package init(code: CInt = errno, call: String) {
    self.code = code
    self.call = call
  }

  package var description: String {
    let message = "\(call) failed: \(errnoDescription(code))"
    guard call == "pthread_create", let limit = ThreadLimit.reached else { return message }
    return "\(message): \(limit)"
  }
}
