import LocalSystem
import RenderCore

/// A ring of scheduled cycles, from the scheduling thread to the render thread.
///
/// Realtime: yes, except creation. Threads: one scheduler, one renderer.
struct LookaheadRing: @unchecked Sendable, BitwiseCopyable {
  private let cycles: UnsafeMutablePointer<ScheduledCycle>
  /// The number of cycles is the delay of commands, and by how much the scheduling may be late.
  private let ring = RingPositions(capacity: 4)

  init(in memory: RenderMemory) {
    cycles = memory.makeEach(ring.capacity) { _ in ScheduledCycle(in: memory) }
    memory.onRelease(ring.destroy)
  }

  /// The next cycle to fill; `nil` while the ring is full.
  var nextToFill: UnsafeMutablePointer<ScheduledCycle>? {
    ring.room > 0 ? cycles + ring.index(numberToFill) : nil
  }

  /// The number of the next cycle to fill, from 0.
  var numberToFill: UInt32 { ring.written.value }

  /// Returns whether all cycles before this number have been rendered.
  func hasRendered(_ number: UInt32) -> Bool { Int32(bitPattern: ring.read.value &- number) >= 0 }

  /// Passes the filled cycle to the render thread.
  func finishFilling() { ring.written.increase() }

  /// Waits up to 100 ms until a cycle can be filled.
  func waitForRoom() {
    let rendered = ring.read.value
    if nextToFill != nil { return }
    ring.read.wait(while: rendered, until: MonotonicClock.now + 100_000_000)
  }

  /// The cycle to render; `nil` if none was filled in time.
  var nextToRender: UnsafeMutablePointer<ScheduledCycle>? {
    @_noLocks get { ring.count > 0 ? cycles + ring.index(ring.read.value) : nil }
  }

  /// Returns the rendered cycle to the scheduler.
  @_noLocks func finishRendering() {
    ring.read.increase()
    ring.read.wake()
  }
}
