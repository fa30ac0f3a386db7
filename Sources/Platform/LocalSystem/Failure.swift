import Glibc

/// An error for the user: what is wrong, the value found and the remedy, in one sentence.
package struct Failure: Error, Equatable, Sendable {
  /// The class of an error. The raw value is the number that reports have for it.
  package enum Kind: Int32, Sendable {
    case failed = 1
    /// The request cannot be fulfilled as it was made.
    case usage = 2
    case inputUnusable = 3
    case outputNotWritten = 4
    case soundFontUnusable = 5
    /// There are warnings, and the caller asked to treat them as errors.
    case warnings = 6
  }

  package let kind: Kind
  package let message: String
  /// The signal that interrupted the work, or by which a program that fails for this should end.
  package let signal: CInt?
  /// The option that a command does not have, if that is what is wrong.
  package let unknownOption: String?
  /// Whether a disk or a quota is full.
  package let isOutOfSpace: Bool

  package init(
    _ kind: Kind, _ message: String, signal: CInt? = nil, unknownOption: String? = nil,
    isOutOfSpace: Bool = false
  ) {
    self.kind = kind
    self.message = message
    self.signal = signal
    self.unknownOption = unknownOption
    self.isOutOfSpace = isOutOfSpace
  }

  /// The failure that an error stands for. An error that is not ``FailureConvertible`` has the kind ``Kind/failed`` and
  /// its description as the message.
  package init(_ error: any Error) {
    self =
      error as? Failure ?? (error as? any FailureConvertible)?.failure
      ?? Failure(.failed, "\(error)")
  }

  package static func interrupted(by signal: CInt) -> Failure {
    Failure(.failed, "interrupted", signal: signal)
  }

  package static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  /// Standard output did not accept everything.
  ///
  /// - Parameter code: `errno`.
  package static func standardOutput(_ code: CInt) -> Failure {
    Failure(
      .outputNotWritten, "cannot write standard output: \(errnoDescription(code))",
      signal: code == EPIPE ? SIGPIPE : nil)
  }
}

/// An error of another kind than ``Failure/Kind/failed``, or with a message of its own for users.
package protocol FailureConvertible: Error {
  var failure: Failure { get }
}

/// Returns the value of an expression, and converts the error that it throws.
///
/// - Parameters:
///   - expression: The expression.
///   - transform: Returns the error to throw instead.
package func mapError<Value, Failure: Error, NewFailure: Error>(
  _ expression: @autoclosure () throws(Failure) -> Value, _ transform: (Failure) -> NewFailure
) throws(NewFailure) -> Value {
  do throws(Failure) { return try expression() } catch { throw transform(error) }
}
