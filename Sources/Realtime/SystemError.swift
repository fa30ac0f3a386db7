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

  package var description: String { "\(call) failed: \(systemMessage(code))" }
}
