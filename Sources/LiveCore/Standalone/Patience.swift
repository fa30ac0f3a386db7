/// How long it is waited before a device is tried again that is lost soon after it was opened: a sound server
/// without a sound card, for instance, lets itself be opened and never takes anything.
struct Patience {
  /// Seconds.
  static let shortest = 2.0
  /// Opening costs a good deal more than finding that there is nothing to open.
  static let longest = 30.0
  /// A device that has played for so long is one that works.
  static let trial = 15.0

  private var interval = shortest
  /// Whether the device was lost before its trial was over.
  private(set) var isTried = false

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
    isTried = age < Self.trial
    if !isTried { interval = Self.shortest }
    return isTried
  }

  /// A device plays.
  ///
  /// - Returns: Whether that is news, for it was in doubt.
  mutating func isOver(with age: Double) -> Bool {
    guard isTried, age >= Self.trial else { return false }
    isTried = false
    interval = Self.shortest
    return true
  }
}
