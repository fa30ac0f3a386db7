import NodeProtocol
import Synchronization
import Threads

/// Ends waits that have become too long: one thread for all connections of the process.
///
/// A render thread could have the kernel set a timer for every wait instead. But a timer that is due
/// before the kernel's next tick makes it program the hardware, and again when the node has answered:
/// 13 µs in each cycle on a virtual machine, where the round trip itself takes 5. This thread's timer is
/// set once or twice per cycle, however many connections there are, and not while anyone waits.
///
/// Realtime: no; ``DeadlineBoard`` is what render threads use. Should the thread not get to run, the
/// one that watches the connection's socket ends waits a little later.
final class DeadlineTimer: Sendable {
  static let shared = DeadlineTimer()

  let board = DeadlineTable()
  private let members = Mutex(Members())

  private struct Members {
    /// What a render thread waits for, at the place it has on the board.
    var words: [Int: SharedWord] = [:]
    var isRunning = false
    /// The priority that the thread should have, under SCHED_FIFO, and that it has; 0: the ordinary scheduler.
    var wantedPriority = 0
    var priority = 0
  }

  /// How long the thread goes on looking after somebody has rung.
  private static let idleTime: Int64 = 1_000_000_000
  /// Between two attempts to wake a thread that may have been just about to fall asleep.
  private static let retryInterval: Int64 = 100_000

  /// Gives a render thread a place on the board.
  ///
  /// - Parameters:
  ///   - word: What it waits for.
  ///   - priority: The render thread's; the keeper's is higher from soon on, where that is permitted.
  /// - Returns: `nil` when there is no place left, or no thread to be had.
  func join(_ word: SharedWord, priority: Int) -> Int? {
    members.withLock { members in
      guard let place = (0..<DeadlineTable.places).first(where: { members.words[$0] == nil }),
        members.isRunning || start()
      else { return nil }
      members.isRunning = true
      if priority >= max(1, members.wantedPriority) {
        members.wantedPriority = min(99, priority + 1)
        // It has to ask for it itself.
        board.bell.increase()
        board.bell.wake()
      }
      members.words[place] = word
      return place
    }
  }

  /// The thread's, under SCHED_FIFO; 0: the ordinary scheduler.
  var priority: Int { members.withLock { $0.priority } }

  /// Gives a place back. The word is not touched afterwards.
  func leave(_ place: Int) {
    board.clear(place)
    members.withLock { _ = $0.words.removeValue(forKey: place) }
  }

  private func start() -> Bool {
    // For ever, as the thread runs for ever.
    let context = Unmanaged.passRetained(self)
    do throws(SystemError) {
      try SystemThread(name: "portative-limit", context: context.toOpaque(), runKeeper).detach()
      return true
    } catch {
      context.release()
      return false
    }
  }

  fileprivate func run() -> Never {
    var heard = board.bell.value
    var restTime = MonotonicClock.now + Self.idleTime
    var triedPriority = 0
    while true {
      let value = board.bell.value
      takePriority(&triedPriority)
      let now = MonotonicClock.now
      if value != heard { restTime = now + Self.idleTime }
      heard = value
      let look = wakeOverdue(now) ?? (now < restTime ? now + shortestLimit : .max)
      board.announce(look)
      // Never a time that is past: whoever is to wake may need the very processor that this thread has.
      let deadline = earliestDeadline.map { max($0, now + Self.retryInterval) }
      board.bell.wait(while: heard, until: min(look, deadline ?? .max))
    }
  }

  /// Takes the priority that the thread should have, unless that was tried. Without it, waits may end a
  /// little later.
  private func takePriority(_ tried: inout Int) {
    let wanted = members.withLock { $0.wantedPriority }
    if wanted <= tried { return }
    tried = wanted
    if let taken = try? RealtimePriority.take(wanted) { members.withLock { $0.priority = taken } }
  }

  /// Wakes those whose time is over.
  ///
  /// - Returns: When to look again, as long as somebody waits.
  private func wakeOverdue(_ now: Int64) -> Int64? {
    members.withLock { members in
      var look: Int64?
      for (place, word) in members.words {
        guard let deadline = board.deadline(at: place) else { continue }
        if deadline <= now { word.wake() }
        look = min(look ?? .max, max(deadline, now + Self.retryInterval))
      }
      return look
    }
  }

  private var earliestDeadline: Int64? {
    members.withLock { $0.words.keys.compactMap(board.deadline).min() }
  }

  /// Whoever begins to wait from now on need not be looked at before this is over.
  private var shortestLimit: Int64 {
    let limits = members.withLock { $0.words.keys.map(board.limit) }
    // Whoever waits for less rings, and a limit of nothing must not keep this thread from ever sleeping.
    let shortest = limits.filter { $0 > 0 }.min() ?? Self.idleTime
    return min(max(shortest, Self.retryInterval), Self.idleTime)
  }
}

@c private func runKeeper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<DeadlineTimer>.fromOpaque(context).takeUnretainedValue().run()
}
