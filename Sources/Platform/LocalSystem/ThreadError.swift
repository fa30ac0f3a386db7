import Glibc

/// The system has refused to start a thread.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What `pthread_create` returned.
  public let code: CInt
  /// A sentence with the limit that was reached, how much of it is used, and the remedy; `nil` if it is not known.
  public let limit: String?

  /// Looks up which limit was reached.
  ///
  /// - Parameter code: What `pthread_create` returned.
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
      ?? "raise the limit (ulimit -u or -v, or TasksMax= of the service), or end other programs"
    return
      "cannot start a thread: \(errnoDescription(code)); \(remedy); --jobs 1 needs the fewest threads"
  }
}
