import LocalSystem

/// The recovery of a sound device, or of the connections of a chain, after a loss.
///
/// The caller supplies the current time.
struct Recovery<Value: Sendable> {
  private var absence: Absence?
  private var attempt: RepeatedAttempt<Value>?
  /// The error if the absence lasts too long.
  private var reason = ""

  /// Starts an attempt after a number of seconds, and after its predecessor has ended.
  typealias Starter = (_ delay: Double, _ predecessor: RepeatedAttempt<Value>?) throws ->
    RepeatedAttempt<Value>

  /// Whether there was no loss, or the last one was long ago.
  var isOver: Bool { absence == nil }
  var isInProgress: Bool { attempt != nil }

  /// Begins after a loss.
  ///
  /// - Parameter reason: The error if the absence lasts too long.
  mutating func begin(
    because reason: String, at now: ContinuousClock.Instant, _ start: Starter
  ) rethrows {
    self.reason = reason
    if absence == nil { absence = Absence(begin: now) } else { absence?.beginLoss() }
    try restart(start)
  }

  /// Starts again under other conditions, or without a loss.
  mutating func restart(_ start: Starter) rethrows {
    cancel()
    attempt = try start(absence?.pause ?? 0, attempt)
  }

  /// Returns the recovered value, once, and the length of the absence in seconds; 0 if nothing was lost.
  ///
  /// - Throws: The error if the absence is longer than the limit.
  mutating func result(
    at now: ContinuousClock.Instant, limit: Duration
  ) throws(Failure) -> (value: Value, absentSeconds: Double)? {
    if absence?.isOver(now) == true { absence = nil }
    guard let attempt else { return nil }
    let seconds = absence.map { $0.isLost ? $0.seconds(now) : 0 } ?? 0
    if let value = attempt.take() {
      self.attempt = nil
      absence?.endLoss(at: now)
      return (value, seconds)
    }
    if seconds > limit / .seconds(1) { throw Failure(.failed, reason) }
    return nil
  }

  func cancel() { attempt?.cancel() }
}

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
