import Glibc
import NodeProtocol
import Synchronization
import TestSupport
import Testing
import Threads

@testable import NodeHost

/// Whether a thread may have realtime priority.
private let mayBeRealtime: Bool = {
  let isPermitted = Mutex(false)
  TestThread { isPermitted.withLock { $0 = (try? RealtimePriority.take(31)) == 31 } }.join()
  return isPermitted.withLock { $0 }
}()

/// A thread that waits for a word nobody ever changes, with the keeper as its only hope.
private final class Waiter: @unchecked Sendable {
  private let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private let place: Int
  let rounds = Atomic(0)

  init(priority: Int = 0) throws {
    memory.initialize(to: 0)
    place = try #require(DeadlineTimer.shared.join(SharedWord(at: memory), priority: priority))
  }

  deinit {
    DeadlineTimer.shared.leave(place)
    memory.deallocate()
  }

  /// Waits so many times on a thread of its own, each time for as long as the limit.
  func start(_ count: Int, limit: Int64) throws -> SystemThread {
    try SystemThread(name: "waiter") { self.wait(count, limit: limit) }
  }

  func wait(_ count: Int, limit: Int64) {
    let board = DeadlineTimer.shared.board
    let word = SharedWord(at: memory)
    for _ in 0..<count {
      let deadline = MonotonicClock.now + limit
      board.set(deadline, limit: limit, at: place)
      while MonotonicClock.now < deadline { word.wait(while: 0, until: nil) }
      board.clear(place)
      rounds.add(1, ordering: .relaxed)
    }
  }
}

@Suite struct DeadlineKeeperTests {
  @Test(arguments: [100_000, 1_200_000, 30_000_000] as [Int64])
  func `a wait without a timer ends when its time is over`(limit: Int64) throws {
    let waiter = try Waiter()
    try waiter.start(20, limit: limit).join()
    #expect(waiter.rounds.load(ordering: .relaxed) == 20)
  }

  @Test func `a wait that begins when the keeper has gone to rest ends as well`() throws {
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
    let word = SharedWord(at: memory)
    let keeper = DeadlineTimer()
    let place = try #require(keeper.join(word, priority: 0))
    for limit in [.max, 1, .max, 200_000] as [Int64] {
      let (sum, isFar) = MonotonicClock.now.addingReportingOverflow(limit)
      let deadline = isFar ? .max : sum
      keeper.board.set(deadline, limit: limit, at: place)
      if deadline < .max {
        while MonotonicClock.now < deadline { word.wait(while: 0, until: nil) }
      }
      keeper.board.clear(place)
    }
    keeper.leave(place)
  }

  @Test func `there is a place for many, and none for too many`() throws {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { memory.deallocate() }
    memory.initialize(to: 0)
    let keeper = DeadlineTimer()
    let places = (0..<DeadlineTable.places).map { _ in
      keeper.join(SharedWord(at: memory), priority: 0)
    }
    #expect(Set(places).count == DeadlineTable.places && !places.contains(nil))
    #expect(keeper.join(SharedWord(at: memory), priority: 0) == nil)
    keeper.leave(7)
    #expect(keeper.join(SharedWord(at: memory), priority: 0) == 7)
    for place in 0..<DeadlineTable.places { keeper.leave(place) }
  }

  @Test(.enabled(if: mayBeRealtime, "realtime priority is not permitted here"))
  func `the keeper comes before every render thread that has joined`() throws {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { memory.deallocate() }
    memory.initialize(to: 0)
    let keeper = DeadlineTimer()
    var priorities: [Int] = []
    for priority in [0, 20, 0, 10, 30] {
      let place = try #require(keeper.join(SharedWord(at: memory), priority: priority))
      keeper.leave(place)
      let expected = [0, 21, 21, 21, 31][priorities.count]
      let limit = MonotonicClock.now + 10_000_000_000
      while keeper.priority != expected, MonotonicClock.now < limit { usleep(1000) }
      priorities.append(keeper.priority)
    }
    #expect(priorities == [0, 21, 21, 21, 31])
  }

  @Test(.enabled(if: mayBeRealtime, "realtime priority is not permitted here"))
  func `the keeper lets those run whom it wakes, though it comes first on their processor`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      SystemThread.stayHere()
      // Comes before both, and ends what would else go on for ever.
      TestThread {
        guard (try? RealtimePriority.take(50)) != nil else { exit(1) }
        sleep(5)
        exit(2)
      }.detach()
      TestThread {
        guard (try? RealtimePriority.take(10)) != nil else { exit(1) }
        guard let waiter = try? Waiter(priority: 10) else { exit(3) }
        while DeadlineTimer.shared.priority == 0 { usleep(1000) }
        waiter.wait(20, limit: 2_000_000)
      }.join()
      exit(7)
    }
  }
}
