import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SharedWordTests {
  @Test func `exchanges only the expected value`() throws {
    let shared = try SharedSegment()
    withExtendedLifetime(shared) {
      let word = shared.host.cycle.posted
      word.store(5)
      #expect(!word.exchange(4, for: 6))
      #expect(word.value == 5)
      #expect(word.exchange(5, for: 6))
      #expect(word.value == 6)
    }
  }

  @Test func `does not wait if the value differs already`() throws {
    let shared = try SharedSegment()
    shared.host.cycle.posted.store(1)
    #expect(withExtendedLifetime(shared) { shared.node.cycle.posted.wait(while: 0, until: nil) })
  }

  @Test(arguments: [0, 1, MonotonicClock.now - 1, MonotonicClock.now + 1_000_000])
  func `a wait ends at its deadline`(deadline: Int64) throws {
    let shared = try SharedSegment()
    withExtendedLifetime(shared) {
      #expect(!shared.node.cycle.posted.wait(while: 0, until: deadline))
      #expect(MonotonicClock.now >= deadline)
    }
  }

  @Test func `two mappings of one page wake each other`() throws {
    let shared = try SharedSegment()
    let turns: UInt32 = 20_000
    let node = TestThread {
      let cycle = shared.node.cycle
      for turn in 1...turns {
        while cycle.posted.value != turn {
          cycle.posted.wait(while: turn - 1, until: nil)
        }
        shared.node.output(channel: 0)[0] += 1
        cycle.answered.store(turn)
        cycle.answered.wake()
      }
    }
    let cycle = shared.host.cycle
    for turn in 1...turns {
      shared.host.output(channel: 0)[0] += 1
      cycle.posted.store(turn)
      cycle.posted.wake()
      while cycle.answered.value != turn { cycle.answered.wait(while: turn - 1, until: nil) }
    }
    node.join()
    #expect(shared.host.output(channel: 0)[0] == Float(2 * turns))
  }
}
