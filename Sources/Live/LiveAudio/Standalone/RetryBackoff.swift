/// How long to wait before a device is tried again that is lost soon after it was opened: a sound server without a
/// session manager, for instance, can be opened and never takes anything.
struct RetryBackoff {
  /// Seconds.
  static let shortest = 2.0
  /// Opening costs a good deal more than finding that there is nothing to open.
  static let longest = 30.0
  /// A device that has played for so long is one that works.
  static let trial = 15.0

  private var interval = shortest

  /// - Returns: Seconds until the next attempt: more each time.
  mutating func next() -> Double {
    defer { interval = min(2 * interval, Self.longest) }
    return interval
  }

  /// A device is lost.
  ///
  /// - Parameter age: Seconds for which it played.
  /// - Returns: Whether to wait before it is tried again.
  mutating func isTried(by age: Double) -> Bool {
    if age < Self.trial { return true }
    interval = Self.shortest
    return false
  }
}
