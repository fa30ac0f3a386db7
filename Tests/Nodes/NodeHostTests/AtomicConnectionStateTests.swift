import NodeProtocol
import TestSupport
import Testing
import Threads

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
    #expect(word.phase.lose(.portWithdrawn))
    #expect(!word.phase.lose(.closed))
    word.phase.run()
    word.phase.stop()
    #expect(!word.phase.park(.late))
    #expect(word.phase.obstacle == .connectionLost)
    #expect(word.phase.lossReason == .portWithdrawn)
  }

  @Test func `of many threads that end it, one is the first, and none restores it`() {
    for _ in 0..<200 {
      let word = Word()
      word.phase.run()
      let first = Word()
      let threads = [LossReason.closed, .nodeEnded, .noAnswer].map { reason in
        TestThread { [phase = word.phase, first = first.shared] in
          phase.stop()
          if phase.lose(reason) { first.store(first.value + 1) }
          phase.run()
        }
      }
      threads.forEach { $0.join() }
      #expect(word.phase.obstacle == .connectionLost)
      #expect(first.shared.value == 1)
    }
  }
}

// `@unchecked Sendable`: the memory is accessed atomically only.
private final class Word: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt32>
  let phase: AtomicConnectionState
  let shared: SharedWord

  init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: 0)
    phase = AtomicConnectionState(at: memory)
    shared = SharedWord(at: memory)
  }

  deinit { memory.deallocate() }
}
