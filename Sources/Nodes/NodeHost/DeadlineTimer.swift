import NodeProtocol
import Synchronization
import Threads

/// Ends waits at their deadlines: one thread for all connections of the process.
///
/// The alternative is a kernel timer for every wait of a render thread. But a timer that expires before the kernel's
/// next tick makes the kernel program the hardware timer, and again when the node has answered: 13 µs per cycle on a
/// virtual machine, where the round trip itself takes 5 µs. The timer of this thread is set once or twice per cycle,
/// regardless of the number of connections, and not within the render threads' round trips.
///
/// Realtime: no; render threads use ``DeadlineTable``. If this thread does not get to run, the thread that reads the
/// connection's socket ends the waits somewhat later.
final class DeadlineTimer: Sendable {
  static let shared = DeadlineTimer()

  let table = DeadlineTable()
  private let state = Mutex(State())

  private struct State {
    /// For each used slot of the table, the word on which the render thread waits.
    var words: [Int: SharedWord] = [:]
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

  /// Assigns a slot of the table to a render thread. Starts the timer's thread if it does not run.
  ///
  /// - Parameters:
  ///   - word: The word on which the render thread waits.
  ///   - priority: The render thread's priority. If permitted, the timer's thread gets a higher one soon afterwards.
  /// - Returns: The slot; `nil` when all slots are in use or the thread cannot be started.
  func register(_ word: SharedWord, priority: Int) -> Int? {
    state.withLock { state in
      guard let slot = (0..<DeadlineTable.capacity).first(where: { state.words[$0] == nil }),
        state.isRunning || start()
      else { return nil }
      state.isRunning = true
      if priority >= max(1, state.wantedPriority) {
        state.wantedPriority = min(99, priority + 1)
        // A thread can only change its own priority.
        table.wakeTimer()
      }
      state.words[slot] = word
      return slot
    }
  }

  /// The SCHED_FIFO priority of the timer's thread; 0 for the default scheduler.
  var priority: Int { state.withLock { $0.priority } }

  /// Releases a slot. The timer does not access the word afterwards.
  func unregister(_ slot: Int) {
    table.clear(slot)
    state.withLock { _ = $0.words.removeValue(forKey: slot) }
  }

  private func start() -> Bool {
    // Retained permanently, because the thread never ends.
    let context = Unmanaged.passRetained(self)
    do throws(SystemError) {
      try SystemThread(name: "portative-limit", context: context.toOpaque(), runTimer).detach()
      return true
    } catch {
      context.release()
      return false
    }
  }

  fileprivate func run() -> Never {
    var lastValue = table.wakeWord.value
    var restTime = MonotonicClock.now + Self.idleTime
    var triedPriority = 0
    while true {
      let value = table.wakeWord.value
      raisePriority(&triedPriority)
      let now = MonotonicClock.now
      if value != lastValue { restTime = now + Self.idleTime }
      lastValue = value
      let nextCheck = wakeOverdue(now) ?? (now < restTime ? now + shortestLimit : .max)
      table.setNextCheck(nextCheck)
      // Never waits until a time in the past, because the woken thread may need this thread's processor.
      let deadline = earliestDeadline.map { max($0, now + Self.retryInterval) }
      table.wakeWord.wait(while: lastValue, until: min(nextCheck, deadline ?? .max))
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
  /// - Returns: The time of the next check; `nil` when no thread waits.
  private func wakeOverdue(_ now: Int64) -> Int64? {
    state.withLock { state in
      var nextCheck: Int64?
      for (slot, word) in state.words {
        guard let deadline = table.deadline(at: slot) else { continue }
        if deadline <= now { word.wake() }
        nextCheck = min(nextCheck ?? .max, max(deadline, now + Self.retryInterval))
      }
      return nextCheck
    }
  }

  private var earliestDeadline: Int64? {
    state.withLock { $0.words.keys.compactMap(table.deadline).min() }
  }

  /// The time in nanoseconds within which no wait that starts now reaches its deadline, as far as is known.
  private var shortestLimit: Int64 {
    let limits = state.withLock { $0.words.keys.map(table.limit) }
    // Threads with shorter waits wake the timer. The lower bound keeps very short limits from waking it continuously.
    let shortest = limits.filter { $0 > 0 }.min() ?? Self.idleTime
    return min(max(shortest, Self.retryInterval), Self.idleTime)
  }
}

@c private func runTimer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<DeadlineTimer>.fromOpaque(context).takeUnretainedValue().run()
}
