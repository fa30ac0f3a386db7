import Glibc
import LocalSystem
import NodeProtocol
import Synchronization
import TestSupport
import Testing

@testable import NodeHost

/// Whether a thread may have realtime priority.
private let mayBeRealtime: Bool = {
  let isPermitted = Mutex(false)
  TestThread { isPermitted.withLock { $0 = (try? RealtimePriority.request(31)) == 31 } }.join()
  return isPermitted.withLock { $0 }
}()

/// A thread that waits on a word that never changes, so that only the timer can wake it.
private final class Waiter: @unchecked Sendable {
  private let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private let deadline: WaitDeadline
  let rounds = Atomic(0)

  init(priority: Int = 0) throws {
    memory.initialize(to: 0)
    deadline = try #require(DeadlineTimer.shared.add(SharedWord(at: memory), priority: priority))
  }

  deinit {
    DeadlineTimer.shared.remove(deadline)
    memory.deallocate()
  }

  /// Starts a thread that waits `count` times, each time until the limit.
  func start(_ count: Int, limit: Int64) throws -> SystemThread {
    try SystemThread(name: "waiter") { self.wait(count, limit: limit) }
  }

  func wait(_ count: Int, limit: Int64) {
    for _ in 0..<count {
      deadline.wait(until: MonotonicClock.now + limit, limit: limit)
      rounds.add(1, ordering: .relaxed)
    }
  }
}

extension WaitDeadline {
  /// Waits on a word that is 0 and does not change.
  fileprivate func wait(until time: Int64, limit: Int64) {
    set(time, limit: limit)
    while MonotonicClock.now < time { word.wait(while: 0, until: nil) }
    clear()
  }
}

@Suite(.timeLimit(.minutes(5))) struct DeadlineTimerTests {
  @Test(arguments: [100_000, 1_200_000, 30_000_000] as [Int64])
  func `a wait without a timer ends when its time is over`(limit: Int64) throws {
    let waiter = try Waiter()
    try waiter.start(20, limit: limit).join()
    #expect(waiter.rounds.load(ordering: .relaxed) == 20)
  }

  @Test func `a wait that begins when the timer has gone to rest ends as well`() throws {
    let waiter = try Waiter()
    try waiter.start(1, limit: 500_000).join()
    usleep(1_200_000)
    try waiter.start(1, limit: 500_000).join()
    #expect(waiter.rounds.load(ordering: .relaxed) == 2)
  }

  @Test func `short waits and long ones side by side all end`() throws {
    let waiters = try (0..<8).map { _ in try Waiter() }
    let threads = try zip(waiters, 0...).map { waiter, index in
      try waiter.start(index % 2 == 0 ? 100 : 5, limit: index % 2 == 0 ? 200_000 : 7_000_000)
    }
    for thread in threads { thread.join() }
    #expect(waiters.map { $0.rounds.load(ordering: .relaxed) }.reduce(0, +) == 420)
  }

  @Test func `a wait without end does not keep the next from ending`() throws {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    memory.initialize(to: 0)
    let timer = DeadlineTimer()
    let deadline = try #require(timer.add(SharedWord(at: memory), priority: 0))
    for limit in [1, 200_000] as [Int64] {
      deadline.set(.max, limit: .max)
      deadline.clear()
      deadline.wait(until: MonotonicClock.now + limit, limit: limit)
    }
    timer.remove(deadline)
  }

  @Test(.enabled(if: mayBeRealtime, "realtime priority is not permitted here"))
  func `the timer comes before every render thread that has joined`() throws {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { memory.deallocate() }
    memory.initialize(to: 0)
    let timer = DeadlineTimer()
    var priorities: [Int] = []
    for priority in [0, 20, 0, 10, 30] {
      timer.remove(try #require(timer.add(SharedWord(at: memory), priority: priority)))
      let expected = [0, 21, 21, 21, 31][priorities.count]
      let limit = MonotonicClock.now + 10_000_000_000
      while timer.priority != expected, MonotonicClock.now < limit { usleep(1000) }
      priorities.append(timer.priority)
    }
    #expect(priorities == [0, 21, 21, 21, 31])
  }

  @Test(.enabled(if: mayBeRealtime, "realtime priority is not permitted here"))
  func `the timer lets those run whom it wakes, though it comes first on their processor`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      SystemThread.pinToCurrentProcessor()
      // This thread has a higher priority than both, and ends the process if they do not.
      TestThread {
        guard (try? RealtimePriority.request(50)) != nil else { exit(1) }
        sleep(5)
        exit(2)
      }.detach()
      TestThread {
        guard (try? RealtimePriority.request(10)) != nil else { exit(1) }
        guard let waiter = try? Waiter(priority: 10) else { exit(3) }
        while DeadlineTimer.shared.priority == 0 { usleep(1000) }
        waiter.wait(20, limit: 2_000_000)
      }.join()
      exit(7)
    }
  }
}
