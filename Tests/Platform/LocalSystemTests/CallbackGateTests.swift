import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) final class CallbackGateTests {
  private let words = SharedWords(count: 1)
  private var gate: CallbackGate { CallbackGate(words[0]) }

  deinit { words.destroy() }

  @Test func `acquire succeeds for one cycle after another, and not for nested ones`() {
    for _ in 0..<3 {
      #expect(gate.acquire())
      #expect(!gate.acquire())
      gate.release()
    }
  }

  @Test func `a closed gate cannot be acquired, and may be closed again`() {
    gate.close()
    #expect(!gate.acquire())
    gate.close()
    #expect(!gate.acquire())
  }

  @Test func `close waits until the gate is released`() {
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

  @Test func `close ends a thread that acquires the gate continuously`() {
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
