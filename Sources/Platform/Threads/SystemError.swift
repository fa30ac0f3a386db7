import Glibc
import LocalSystem

/// A call of the system that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number that `errno` had.
  package let code: CInt
  /// The call's name in the manual.
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
