import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct AtomicConnectionStateTests {
  @Test func `begins without a format`() {
    let word = Word()
    #expect(word.phase.obstacle == .notInitialized)
    #expect(!word.phase.isRunning)
    #expect(word.phase.parkReason == nil)
    #expect(word.phase.lossReason == nil)
  }

  @Test func `runs, stops, and runs again`() {
    let word = Word()
    for _ in 0..<2 {
      word.phase.run()
      #expect(word.phase.obstacle == nil)
      #expect(word.phase.isRunning)
      word.phase.stop()
      #expect(word.phase.obstacle == .notInitialized)
    }
  }

  @Test func `only a running connection can be parked, once, and it can run again`() {
    let word = Word()
    #expect(!word.phase.park(.late))
    word.phase.run()
    #expect(word.phase.park(.notRendered))
    #expect(!word.phase.park(.late))
    #expect(word.phase.obstacle == .parked)
    #expect(word.phase.parkReason == .notRendered)
    word.phase.run()
    #expect(word.phase.isRunning)
    #expect(word.phase.parkReason == nil)
  }

  @Test func `a lost connection stays lost, with its first reason`() {
    let word = Word()
    word.phase.run()
    #expect(word.phase.lose(.portRemoved))
    #expect(!word.phase.lose(.closed))
    word.phase.run()
    word.phase.stop()
    #expect(!word.phase.park(.late))
    #expect(word.phase.obstacle == .connectionLost)
    #expect(word.phase.lossReason == .portRemoved)
  }

  @Test func `of many threads that end it, one is the first, and none restores it`() {
    for _ in 0..<200 {
      let word = Word()
      word.phase.run()
      let first = SharedWords(count: 1)
      defer { first.destroy() }
      let threads = [LossReason.closed, .nodeEnded, .noAnswer].map { reason in
        TestThread { [phase = word.phase] in
          phase.stop()
          if phase.lose(reason) { first[0].increase() }
          phase.run()
        }
      }
      threads.forEach { $0.join() }
      #expect(word.phase.obstacle == .connectionLost)
      #expect(first[0].value == 1)
    }
  }

  @Test func `a new state ends the wait for the node, whose word is not written`() {
    for _ in 0..<500 {
      let word = Word()
      let answered = SharedWords(count: 1)
      defer { answered.destroy() }
      word.phase.run()
      let waiting = TestThread { [phase = word.phase] in
        phase.beginWait()
        while phase.obstacle == nil { answered[0].wait(while: 0, until: nil) }
        phase.endWait()
      }
      word.phase.lose(.nodeEnded)
      word.phase.interruptWait(on: answered[0])
      waiting.join()
      #expect(answered[0].value == 0)
    }
  }
}

private final class Word: Sendable {
  let phase = AtomicConnectionState()

  deinit { phase.destroy() }
}
