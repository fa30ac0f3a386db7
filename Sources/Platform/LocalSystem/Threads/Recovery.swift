import Dispatch
import Synchronization

/// The recovery of something that was lost, such as a sound device or the connections to nodes: attempts on a thread of
/// their own, because each may wait for seconds, with a ``Backoff`` between them, until one succeeds.
///
/// Short returns belong to one absence, so that what is lost again and again is tried less and less often.
///
/// Realtime: no. Threads: one at a time, which supplies the time, in nanoseconds of ``MonotonicClock``.
package struct Recovery<Value: Sendable> {
  package typealias Attempt = @Sendable () throws -> Value

  package enum Outcome {
    /// The recovered value, and the length of the absence in nanoseconds; 0 if nothing was lost.
    case value(Value, absence: Int64)
    /// The error of a failed attempt. Another one follows, unless the recovery is cancelled.
    case failure(any Error)
  }

  private let discard: @Sendable (Value) -> Void
  private var attempt: Attempt?
  private var run: AttemptRun<Value>?
  /// The time of the next attempt.
  private var due: Int64 = 0
  private var backoff = Backoff()
  /// The time of the first loss; `nil` if there was none, or the value has stayed long enough since.
  private var lossTime: Int64?
  /// The time of the last return; `nil` while the value is lost.
  private var returnTime: Int64?

  /// The nanoseconds after a return until the absence is over.
  package static var trial: Int64 { 10_000_000_000 }

  /// - Parameter discard: Receives a value of an attempt that was cancelled, on any thread.
  package init(discard: @escaping @Sendable (Value) -> Void = { _ in }) { self.discard = discard }

  /// Whether nothing was lost, or the last loss was long ago.
  package var isOver: Bool { lossTime == nil }
  package var isInProgress: Bool { attempt != nil }

  /// When ``update(at:)`` has something to do, unless an attempt ends before; `nil`: only then.
  package var nextUpdate: Int64? {
    isInProgress && run?.isCancelled ?? true ? due : nil
  }

  /// The length of the absence in nanoseconds, including short returns; 0 if nothing is lost.
  package func absence(at now: Int64) -> Int64 {
    returnTime == nil ? lossTime.map { now - $0 } ?? 0 : 0
  }

  /// Begins after a loss.
  ///
  /// - Parameter attempt: Called on a thread of its own, not before a cancelled attempt has ended.
  package mutating func begin(at now: Int64, _ attempt: @escaping Attempt) {
    endTrial(at: now)
    let pause = lossTime == nil ? 0 : backoff.next()
    lossTime = lossTime ?? now
    returnTime = nil
    start(attempt, at: now + pause)
  }

  /// Begins again under other conditions, or without a loss.
  package mutating func restart(at now: Int64, _ attempt: @escaping Attempt) {
    start(attempt, at: now)
  }

  private mutating func start(_ attempt: @escaping Attempt, at time: Int64) {
    run?.cancel()
    self.attempt = attempt
    due = time
  }

  /// Begins an attempt that is due, and returns the outcome of one that has ended, once.
  ///
  /// - Parameter wake: Called when an attempt that begins now has ended, on its thread.
  package mutating func update(
    at now: Int64, waking wake: @escaping @Sendable () -> Void = {}
  ) -> Outcome? {
    endTrial(at: now)
    guard let attempt else { return nil }
    if let run, !run.isCancelled {
      guard let result = run.take() else { return nil }
      self.run = nil
      return finish(result, at: now)
    }
    if now < due { return nil }
    do throws(SystemError) {
      run = try AttemptRun(following: run, wake: wake, discard: discard, attempt)
      return nil
    } catch {
      return finish(.failure(error), at: now)
    }
  }

  private mutating func finish(_ result: Result<Value, any Error>, at now: Int64) -> Outcome {
    switch result {
    case .success(let value):
      let absence = absence(at: now)
      attempt = nil
      if isOver { backoff = Backoff() } else { returnTime = now }
      return .value(value, absence: absence)
    case .failure(let error):
      due = now + backoff.next()
      return .failure(error)
    }
  }

  private mutating func endTrial(at now: Int64) {
    guard let returnTime, now - returnTime >= Self.trial else { return }
    (lossTime, self.returnTime, backoff) = (nil, nil, Backoff())
  }

  /// Prevents further attempts, without waiting for one in progress, and forgets earlier losses.
  package mutating func cancel() {
    run?.cancel()
    (attempt, lossTime, returnTime, backoff) = (nil, nil, nil, Backoff())
  }
}

/// The pauses between attempts, in nanoseconds: a quarter of a second, and twice as long after each, up to four seconds.
package struct Backoff: Sendable {
  private var pause: Int64 = 250_000_000
  private static let longest: Int64 = 4_000_000_000

  package init() {}

  /// Returns the time until the next attempt.
  package mutating func next() -> Int64 {
    defer { pause = min(2 * pause, Self.longest) }
    return pause
  }
}

/// One attempt, on a thread of its own.
///
/// Threads: any.
private final class AttemptRun<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let isOver = DispatchSemaphore(value: 0)
  private let discard: @Sendable (Value) -> Void

  /// - Parameter predecessor: A cancelled attempt at the same resources, which must end before.
  init(
    following predecessor: AttemptRun?, wake: @escaping @Sendable () -> Void,
    discard: @escaping @Sendable (Value) -> Void, _ attempt: @escaping @Sendable () throws -> Value
  ) throws(SystemError) {
    self.discard = discard
    try SystemThread(name: "portative-retry") {
      predecessor?.isOver.wait()
      if !self.isCancelled { self.finish(Result { try attempt() }) }
      self.isOver.signal()
      wake()
    }.detach()
  }

  /// Removes and returns the result, once the attempt has ended.
  func take() -> Result<Value, any Error>? { state.withLock { $0.result.take() } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func finish(_ result: Result<Value, any Error>) {
    let isUsed = state.withLock { state in
      if !state.isCancelled { state.result = result }
      return !state.isCancelled
    }
    if !isUsed { drop(result) }
  }

  func cancel() {
    let result = state.withLock { state in
      state.isCancelled = true
      return state.result.take()
    }
    if let result { drop(result) }
  }

  private func drop(_ result: Result<Value, any Error>) {
    if case .success(let value) = result { discard(value) }
  }
}
