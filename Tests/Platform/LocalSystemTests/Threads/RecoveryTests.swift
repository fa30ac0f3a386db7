import Dispatch
import LocalSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecoveryTests {
  private struct Refusal: Error {}

  private let second: Int64 = 1_000_000_000
  private let attempts = Counter()

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func increase() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// Waits for an outcome. The time stands still.
  private func outcome(
    of recovery: inout Recovery<Int>, at time: Int64
  ) throws -> Recovery<Int>.Outcome {
    var outcome: Recovery<Int>.Outcome?
    try #require(
      eventually {
        outcome = recovery.update(at: time)
        return outcome != nil
      })
    return try #require(outcome)
  }

  private func expectFailure(of recovery: inout Recovery<Int>, at time: Int64) throws {
    guard case .failure = try outcome(of: &recovery, at: time) else {
      Issue.record("the attempt has not failed")
      return
    }
  }

  private func expectValue(
    _ value: Int, after absence: Int64, of recovery: inout Recovery<Int>, at time: Int64
  ) throws {
    guard case .value(value, absence) = try outcome(of: &recovery, at: time) else {
      Issue.record("nothing was recovered")
      return
    }
  }

  @Test func `the pauses between attempts grow from a quarter of a second to four`() throws {
    var recovery = Recovery<Int>()
    var now = second
    recovery.begin(at: now) { [attempts] in
      _ = attempts.increase()
      throw Refusal()
    }
    var pauses: [Int64] = []
    for _ in 0..<7 {
      try expectFailure(of: &recovery, at: now)
      let next = try #require(recovery.nextUpdate)
      let isEarly = recovery.update(at: next - 1) != nil
      #expect(!isEarly && recovery.nextUpdate == next)
      pauses.append(next - now)
      now = next
    }
    #expect(pauses.map { Double($0) / 1e9 } == [0.25, 0.5, 1, 2, 4, 4, 4])
    #expect(attempts.value == 7)
  }

  @Test func `a value is returned once, with the length of the absence`() throws {
    var recovery = Recovery<Int>()
    #expect(recovery.isOver && !recovery.isInProgress)
    recovery.begin(at: second) { 7 }
    #expect(
      !recovery.isOver && recovery.isInProgress && recovery.absence(at: 3 * second) == 2 * second)
    try expectValue(7, after: 3 * second, of: &recovery, at: 4 * second)
    #expect(!recovery.isInProgress && !recovery.isOver && recovery.absence(at: 5 * second) == 0)
    let isEmpty = recovery.update(at: 4 * second + Recovery<Int>.trial) == nil
    #expect(isEmpty && recovery.isOver)
  }

  @Test func `what is lost soon after its return is tried later each time, in one absence`() throws
  {
    var recovery = Recovery<Int>()
    var now: Int64 = 0
    var pauses: [Int64] = []
    for _ in 0..<6 {
      recovery.begin(at: now) { 1 }
      let due = try #require(recovery.nextUpdate)
      pauses.append(due - now)
      #expect(recovery.absence(at: due) == due)
      try expectValue(1, after: due, of: &recovery, at: due)
      now = due + second
    }
    #expect(pauses.map { Double($0) / 1e9 } == [0, 0.25, 0.5, 1, 2, 4])
    // Ten seconds later, the absence is over.
    now += Recovery<Int>.trial
    recovery.begin(at: now) { 1 }
    #expect(recovery.nextUpdate == now && recovery.absence(at: now) == 0)
  }

  @Test func `without a loss there is no absence`() throws {
    var recovery = Recovery<Int>()
    recovery.restart(at: 0) { throw Refusal() }
    try expectFailure(of: &recovery, at: 1000 * second)
    #expect(recovery.isInProgress && recovery.isOver && recovery.absence(at: 1000 * second) == 0)
    recovery.restart(at: 1000 * second) { 4 }
    try expectValue(4, after: 0, of: &recovery, at: 1000 * second)
  }

  /// Both attempts use the same resources.
  @Test func `an attempt begins only when the cancelled one before has ended`() throws {
    let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let events = Mutex<[String]>([])
    var recovery = Recovery<Int>()
    recovery.restart(at: 0) {
      began.signal()
      mayEnd.wait()
      events.withLock { $0.append("first ends") }
      return 1
    }
    _ = recovery.update(at: 0)
    began.wait()
    recovery.cancel()
    recovery.restart(at: 0) {
      events.withLock { $0.append("second begins") }
      return 2
    }
    // The second has a moment to begin too early.
    let isEarly = recovery.update(at: 0) != nil
    #expect(!isEarly)
    mayEnd.signal()
    try expectValue(2, after: 0, of: &recovery, at: 0)
    #expect(events.withLock { $0 } == ["first ends", "second begins"])
  }

  @Test func `the value of a cancelled attempt is discarded once, whenever it is made`() throws {
    let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let discarded = Mutex<[Int]>([])
    var recovery = Recovery<Int>(discard: { value in discarded.withLock { $0.append(value) } })
    recovery.restart(at: 0) {
      began.signal()
      mayEnd.wait()
      return 1
    }
    _ = recovery.update(at: 0)
    began.wait()
    recovery.cancel()
    #expect(!recovery.isInProgress && discarded.withLock { $0 } == [])
    mayEnd.signal()
    #expect(eventually { discarded.withLock { $0 } == [1] })
    let isMade = DispatchSemaphore(value: 0)
    recovery.restart(at: 0) { 2 }
    _ = recovery.update(at: 0, waking: { isMade.signal() })
    isMade.wait()
    recovery.cancel()
    #expect(discarded.withLock { $0 } == [1, 2])
  }
}
