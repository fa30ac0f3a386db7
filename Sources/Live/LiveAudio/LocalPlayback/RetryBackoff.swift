/// The back-off before a device is opened again that was lost soon after it was opened. For example, a sound server
/// without a session manager can be opened but never requests audio.
struct RetryBackoff {
  /// The shortest interval in seconds.
  static let shortest = 2.0
  /// The longest interval in seconds. It is long because opening costs much more than finding no device.
  static let longest = 30.0
  /// The time in seconds after which a device that plays counts as working.
  static let trial = 15.0

  private var interval = shortest

  /// Returns the seconds until the next attempt, twice as many each time up to ``longest``.
  mutating func next() -> Double {
    defer { interval = min(2 * interval, Self.longest) }
    return interval
  }

  /// Records the loss of a device.
  ///
  /// - Parameter age: The seconds since it was opened.
  /// - Returns: Whether to wait before it is opened again.
  mutating func shouldWait(afterAge age: Double) -> Bool {
    if age < Self.trial { return true }
    interval = Self.shortest
    return false
  }
}
