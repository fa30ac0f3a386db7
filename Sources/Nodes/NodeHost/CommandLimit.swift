/// The limit of the commands that a node may send, so that it cannot keep its host from anything else.
///
/// A node may send 64 commands at once, and 32 per second. After one more, all are refused until the node has sent none
/// for a second, because a part of a flood would have a random result.
struct CommandLimit {
  private static let burst = 64.0
  private static let perSecond = 32.0
  private static let pause: Int64 = 1_000_000_000

  private var left = burst
  private var lastTime: Int64?
  private var isExceeded = false

  /// Returns whether a command that arrives now may be executed.
  ///
  /// - Parameter now: In nanoseconds of ``MonotonicClock``.
  mutating func admits(at now: Int64) -> Bool {
    let passed = lastTime.map { max(0, now - $0) } ?? 0
    lastTime = now
    left = min(Self.burst, left + Double(passed) / 1e9 * Self.perSecond)
    if isExceeded, passed >= Self.pause { isExceeded = false }
    if left < 1 { isExceeded = true }
    if isExceeded { return false }
    left -= 1
    return true
  }
}
