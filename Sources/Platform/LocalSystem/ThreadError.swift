import Glibc

/// The system refused to start a thread.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error number that `pthread_create` returned.
  public let code: CInt
  /// A sentence with the limit that was reached, its current use and the remedy; `nil` if the limit is unknown.
  public let limit: String?

  /// Makes an error, and determines which limit was reached.
  ///
  /// - Parameter code: The error number that `pthread_create` returned.
  public init(code: CInt) {
    self.init(code: code, limit: ThreadLimit.reached)
  }

  init(code: CInt, limit: String?) {
    self.code = code
    self.limit = limit
  }

  public var description: String {
    let remedy =
      limit
      ?? "raise the limit (ulimit -u or -v, or TasksMax= of the service), or close other programs"
    return
      "cannot start a thread: \(errnoDescription(code)); \(remedy); --jobs 1 uses the fewest threads"
  }
}
