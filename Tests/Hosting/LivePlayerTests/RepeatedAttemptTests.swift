import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct RepeatedAttemptTests {
  private struct Refusal: Error {}

  @Test func `an attempt is repeated until it succeeds, and its value is taken once`() throws {
    let count = Mutex(0)
    let attempt = try RepeatedAttempt(after: 0, pauses: 0.001...0.001) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < 3 { throw Refusal() }
      return number
    }
    var value: Int?
    #expect(
      eventually {
        value = attempt.take()
        return value != nil
      })
    #expect(value == 3)
    #expect(attempt.take() == nil)
    #expect(count.withLock { $0 } == 3)
  }

  /// Both attempts use the same connections.
  @Test func `a successor begins only when the cancelled attempt has ended`() throws {
    let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let events = Mutex<[String]>([])
    let first = try RepeatedAttempt(after: 0, pauses: 1...1) {
      began.signal()
      mayEnd.wait()
      events.withLock { $0.append("first ends") }
      return 1
    }
    began.wait()
    first.cancel()
    let second = try RepeatedAttempt(after: 0, pauses: 1...1, following: first) {
      events.withLock { $0.append("second begins") }
      return 2
    }
    // The successor has a moment to begin too early.
    #expect(second.take() == nil)
    mayEnd.signal()
    #expect(eventually { second.take() == 2 })
    #expect(events.withLock { $0 } == ["first ends", "second begins"])
    #expect(first.take() == nil)
  }

  @Test func `the value of a cancelled attempt is discarded once, whenever it is made`() throws {
    let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let discarded = Mutex<[Int]>([])
    let late = try RepeatedAttempt(
      after: 0, pauses: 1...1, discard: { value in discarded.withLock { $0.append(value) } }
    ) {
      began.signal()
      mayEnd.wait()
      return 1
    }
    began.wait()
    late.cancel()
    #expect(discarded.withLock { $0 } == [])
    mayEnd.signal()
    #expect(eventually { discarded.withLock { $0 } == [1] })
    let early = try RepeatedAttempt(
      after: 0, pauses: 1...1, discard: { value in discarded.withLock { $0.append(value) } }
    ) {
      began.signal()
      return 2
    }
    began.wait()
    // The value is made at once; cancelling discards it on either thread.
    early.cancel()
    #expect(eventually { discarded.withLock { $0 } == [1, 2] })
  }
}
