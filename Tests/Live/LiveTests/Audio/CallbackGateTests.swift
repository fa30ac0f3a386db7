import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import LiveAudio

@Suite final class RenderGateTests {
  private let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private let gate: CallbackGate

  init() {
    word.initialize(to: 0)
    gate = CallbackGate(SharedWord(at: word))
  }

  deinit { word.deallocate() }

  @Test func `one cycle after the other is let in, and none within another`() {
    for _ in 0..<3 {
      #expect(gate.enter())
      #expect(!gate.enter())
      gate.leave()
    }
  }

  @Test func `once it is shut nobody enters, and it may be shut again`() {
    gate.shut()
    #expect(!gate.enter())
    gate.shut()
    #expect(!gate.enter())
  }

  @Test func `shutting it waits for who is within`() {
    let gate = gate
    let steps = Mutex<[String]>([])
    #expect(gate.enter())
    let shutting = TestThread {
      gate.shut()
      steps.withLock { $0.append("shut") }
    }
    // Time enough to go wrong.
    usleep(20_000)
    steps.withLock { $0.append("left") }
    gate.leave()
    shutting.join()
    #expect(steps.withLock { $0 } == ["left", "shut"])
    #expect(!gate.enter())
  }

  @Test func `a device that never pauses is shut off within a cycle of its own`() {
    let gate = gate
    let cycles = Atomic(0)
    let device = TestThread {
      while gate.enter() {
        cycles.add(1, ordering: .relaxed)
        gate.leave()
      }
    }
    while cycles.load(ordering: .relaxed) < 1000 { usleep(100) }
    gate.shut()
    device.join()
    #expect(!gate.enter())
  }
}
