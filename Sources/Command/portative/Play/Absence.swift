/// How long a node or a sound device has been gone, with those times when it was back for a moment only.
///
/// The clock is the caller's.
struct Absence {
  let begin: ContinuousClock.Instant
  /// When it came back last; `nil` while it is gone.
  private(set) var returned: ContinuousClock.Instant?
  /// How often it has gone.
  private(set) var losses = 1

  /// Seconds after which it is taken for one that stays.
  static let trial = 10.0
  private static let longestPause = 8.0

  init(begin: ContinuousClock.Instant) { self.begin = begin }

  var isGone: Bool { returned == nil }

  mutating func comeBack(_ now: ContinuousClock.Instant) { returned = now }

  mutating func goAgain() {
    returned = nil
    losses += 1
  }

  func seconds(_ now: ContinuousClock.Instant) -> Double { (now - begin) / .seconds(1) }

  func isOver(_ now: ContinuousClock.Instant) -> Bool {
    guard let returned else { return false }
    return (now - returned) / .seconds(1) >= Self.trial
  }

  /// Seconds to wait before it is tried again: none at first, and more each time that it goes.
  var pause: Double {
    var pause = 0.0
    for loss in 1..<max(2, min(losses, 10)) where loss < losses { pause = max(1, 2 * pause) }
    return min(pause, Self.longestPause)
  }
}
