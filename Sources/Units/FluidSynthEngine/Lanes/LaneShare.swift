import RenderCore
import Synchronization

/// Lanes of a group that any thread may render in the current cycle (work stealing): the group's own thread
/// pops from the front, others from the back, so that no thread waits while another has lanes left.
///
/// `@unchecked Sendable`: until the cycle ends, only the thread that popped a lane accesses it.
struct LaneShare: @unchecked Sendable, BitwiseCopyable {
  /// Indices into the engine's table.
  private let lanes: UnsafeMutablePointer<Int32>
  /// The range of `lanes` that is left: the start in the lower 32 bits, the end in the upper 32 bits.
  private let range: UnsafeMutablePointer<Atomic<UInt64>>

  init(capacity: Int, in memory: RenderMemory) {
    lanes = memory.make(capacity, of: 0)
    range = memory.make(Atomic(0))
  }

  /// Sets a lane. Called by the group's own thread, before ``publish(count:)``.
  @_noLocks func set(_ lane: Int32, at index: Int) { lanes[index] = lane }

  /// Makes the first `count` lanes available. All lanes of the previous cycle must have been popped.
  @_noLocks func publish(count: Int) {
    range.pointee.store(UInt64(count) << 32, ordering: .releasing)
  }

  @_noLocks func popFirst() -> Int? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (present & 0xFFFF_FFFF, present >> 32)
      if first >= end { return nil }
      if replace(present, end << 32 | first + 1) { return Int(lanes[Int(first)]) }
    }
  }

  @_noLocks func popLast() -> Int? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (present & 0xFFFF_FFFF, present >> 32)
      if first >= end { return nil }
      if replace(present, (end - 1) << 32 | first) { return Int(lanes[Int(end - 1)]) }
    }
  }

  /// Acquire ordering, because the lane index written before the publication is read next.
  @_noLocks private func replace(_ present: UInt64, _ next: UInt64) -> Bool {
    range.pointee.compareExchange(
      expected: present, desired: next, ordering: .acquiring
    ).exchanged
  }
}
