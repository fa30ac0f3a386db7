import LocalSystem
import Synchronization

/// Ends waits at their deadlines: one thread for all connections of the process.
///
/// The alternative is a kernel timer for every wait of a render thread. But a timer that expires before the kernel's
/// next tick makes the kernel program the hardware timer, and again when the node has answered. On a virtual machine,
/// this lengthens the median round trip of 64 frames under SCHED_FIFO from 7.8 to 11.1 µs (Documentation/Benchmarks.md).
/// The timer of this thread is set once or twice per cycle, regardless of the number of connections, and not within the
/// render threads' round trips.
///
/// Realtime: no; render threads use ``WaitDeadline``. If this thread does not get to run, the thread that reads the
/// connection's socket ends the waits somewhat later.
final class DeadlineTimer: Sendable {
  static let shared = DeadlineTimer()

  private let signal = TimerSignal()
  private let state = Mutex(State())

  private struct State {
    var deadlines: [WaitDeadline] = []
    var isRunning = false
    /// The SCHED_FIFO priority that the thread should have; 0 for the default scheduler.
    var wantedPriority = 0
    /// The SCHED_FIFO priority that the thread has; 0 for the default scheduler.
    var priority = 0
  }

  /// The time in nanoseconds for which the thread keeps checking after it was woken last.
  private static let idleTime: Int64 = 1_000_000_000
  /// The time in nanoseconds between two attempts to wake a thread that may not have started to wait yet.
  private static let retryInterval: Int64 = 100_000

  /// Adds a render thread. Starts the timer's thread if it does not run.
  ///
  /// - Parameters:
  ///   - word: The word on which the render thread waits.
  ///   - priority: The render thread's priority. If permitted, the timer's thread gets a higher one soon afterwards.
  /// - Returns: The deadline of the thread's waits; `nil` when the timer's thread cannot be started.
  func add(_ word: SharedWord, priority: Int) -> WaitDeadline? {
    state.withLock { state in
      if !state.isRunning {
        // The thread never ends.
        guard let thread = try? SystemThread(name: "portative-limit", { self.run() }) else {
          return nil
        }
        thread.detach()
        state.isRunning = true
      }
      if priority >= max(1, state.wantedPriority) {
        state.wantedPriority = min(99, priority + 1)
        // A thread can only change its own priority.
        signal.wake()
      }
      let deadline = WaitDeadline(of: word, timer: signal)
      state.deadlines.append(deadline)
      return deadline
    }
  }

  /// Removes and destroys the deadline of a word. The timer does not access the word afterwards.
  func remove(_ deadline: WaitDeadline) {
    state.withLock { $0.deadlines.removeAll { $0 == deadline } }
    deadline.destroy()
  }

  /// The SCHED_FIFO priority of the timer's thread; 0 for the default scheduler.
  var priority: Int { state.withLock { $0.priority } }

  private func run() {
    var lastValue = signal.word.value
    var restTime = MonotonicClock.now + Self.idleTime
    var triedPriority = 0
    while true {
      let value = signal.word.value
      raisePriority(&triedPriority)
      let now = MonotonicClock.now
      if value != lastValue { restTime = now + Self.idleTime }
      lastValue = value
      let (next, interval) = check(now)
      let nextCheck = next ?? (now < restTime ? now + interval : .max)
      signal.nextCheck = nextCheck
      // A render thread that has just set its deadline did not see this time.
      signal.word.wait(while: value, until: min(nextCheck, check(now).next ?? .max))
    }
  }

  /// Requests the priority that the thread should have, once for each value. Without it, waits may end somewhat later.
  private func raisePriority(_ tried: inout Int) {
    let wanted = state.withLock { $0.wantedPriority }
    if wanted <= tried { return }
    tried = wanted
    guard let priority = try? RealtimePriority.request(wanted) else { return }
    state.withLock { $0.priority = priority }
  }

  /// Wakes the threads whose deadlines have passed.
  ///
  /// - Returns: The time of the next check, `nil` when no thread waits; and the time within which no wait that starts
  ///   now reaches its deadline, as far as is known. Threads with shorter waits wake the timer.
  private func check(_ now: Int64) -> (next: Int64?, interval: Int64) {
    state.withLock { state in
      var (next, interval): (Int64?, Int64) = (nil, Self.idleTime)
      for wait in state.deadlines {
        let (deadline, limit) = wait.current
        if limit > 0 { interval = min(interval, limit) }
        if deadline == 0 { continue }
        if deadline <= now { wait.word.wake() }
        // Never a time in the past, because the woken thread may need this thread's processor.
        next = min(next ?? .max, max(deadline, now + Self.retryInterval))
      }
      return (next, max(interval, Self.retryInterval))
    }
  }
}
