/// The absence of a node or a sound device, including short returns.
///
/// The caller supplies the current time.
struct Absence {
  private let begin: ContinuousClock.Instant
  /// The time of the latest return; `nil` while it is absent.
  private var returned: ContinuousClock.Instant?
  /// The number of losses, 1 or more.
  private var losses = 1

  /// The seconds after a return until the absence is over.
  static let trial = 10.0

  init(begin: ContinuousClock.Instant) { self.begin = begin }

  var isLost: Bool { returned == nil }

  mutating func endLoss(at now: ContinuousClock.Instant) { returned = now }

  mutating func beginLoss() {
    returned = nil
    losses += 1
  }

  func seconds(_ now: ContinuousClock.Instant) -> Double { (now - begin) / .seconds(1) }

  func isOver(_ now: ContinuousClock.Instant) -> Bool {
    guard let returned else { return false }
    return (now - returned) / .seconds(1) >= Self.trial
  }

  /// The seconds to wait before the next attempt to recover: 0 after the first loss, then 1, doubled with each loss up
  /// to 8.
  var pause: Double { losses < 2 ? 0 : Double(1 << min(losses - 2, 3)) }
}
