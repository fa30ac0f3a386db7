import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import LiveAudio

@Suite final class CallbackGateTests {
  private let words = SharedWords(count: 1)
  private var gate: CallbackGate { CallbackGate(words[0]) }

  deinit { words.destroy() }

  @Test func `one cycle after the other is let in, and none within another`() {
    for _ in 0..<3 {
      #expect(gate.acquire())
      #expect(!gate.acquire())
      gate.release()
    }
  }

  @Test func `once it is shut nobody enters, and it may be shut again`() {
    gate.close()
    #expect(!gate.acquire())
    gate.close()
    #expect(!gate.acquire())
  }

  @Test func `shutting it waits for who is within`() {
    let gate = gate
    let steps = Mutex<[String]>([])
    #expect(gate.acquire())
    let shutting = TestThread {
      gate.close()
      steps.withLock { $0.append("shut") }
    }
    // Enough time for a faulty gate to let the other thread through.
    usleep(20_000)
    steps.withLock { $0.append("left") }
    gate.release()
    shutting.join()
    #expect(steps.withLock { $0 } == ["left", "shut"])
    #expect(!gate.acquire())
  }

  @Test func `a device that never pauses is shut off within a cycle of its own`() {
    let gate = gate
    let cycles = Atomic(0)
    let device = TestThread {
      while gate.acquire() {
        cycles.add(1, ordering: .relaxed)
        gate.release()
      }
    }
    #expect(eventually { cycles.load(ordering: .relaxed) >= 1000 })
    gate.close()
    device.join()
    #expect(!gate.acquire())
  }
}
