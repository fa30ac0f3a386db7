import Dispatch
import Glibc
import Synchronization
import Threads

/// Repeats an attempt until it succeeds, on a thread of its own because an attempt may wait for seconds.
///
/// Threads: any.
final class RepeatedAttempt<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let isOver = DispatchSemaphore(value: 0)
  private let discard: @Sendable (Value) -> Void

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - delay: The seconds before the first attempt.
  ///   - pauses: The seconds after the first failure, and their limit. They double with each failure.
  ///   - predecessor: A cancelled attempt at the same resources, which must end before.
  ///   - discard: Receives a value of which the attempt was cancelled.
  init(
    after delay: Double, pauses: ClosedRange<Double>, following predecessor: RepeatedAttempt? = nil,
    discard: @escaping @Sendable (Value) -> Void = { _ in },
    _ attempt: @escaping @Sendable () throws -> Value
  ) throws(SystemError) {
    self.discard = discard
    try SystemThread(name: "portative-retry") {
      predecessor?.isOver.wait()
      self.run(delay, pauses, attempt)
      self.isOver.signal()
    }.detach()
  }

  /// Removes and returns the value, once an attempt has succeeded.
  func take() -> Value? { state.withLock { $0.value.take() } }

  /// Prevents further attempts, and does not wait for one in progress.
  func cancel() {
    let value = state.withLock { state in
      state.isCancelled = true
      return state.value.take()
    }
    if let value { discard(value) }
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run(
    _ delay: Double, _ pauses: ClosedRange<Double>, _ attempt: () throws -> Value
  ) {
    var pause = pauses.lowerBound
    wait(delay)
    while !isCancelled {
      if let value = try? attempt() {
        let isUsed = state.withLock { state in
          if !state.isCancelled { state.value = value }
          return !state.isCancelled
        }
        if !isUsed { discard(value) }
        return
      }
      wait(pause)
      pause = min(2 * pause, pauses.upperBound)
    }
  }

  private func wait(_ seconds: Double) {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while MonotonicClock.now < end, !isCancelled { usleep(20_000) }
  }
}
