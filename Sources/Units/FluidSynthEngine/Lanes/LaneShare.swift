import Synchronization

/// Lanes of a pool that any thread may render in the cycle in progress: the pool's own takes them from the front,
/// others from the back. So no thread waits while another has lanes left.
///
/// `@unchecked Sendable`: who has taken a lane is alone with it until the cycle ends.
struct LaneShare: @unchecked Sendable, BitwiseCopyable {
  /// By index into the engine's table.
  private let lanes: UnsafeMutablePointer<Int32>
  /// Which of `lanes` are left: the first of them in the lower half, the end in the upper.
  private let range: UnsafeMutablePointer<Atomic<UInt64>>

  /// Realtime: no, it allocates.
  init(capacity: Int) {
    lanes = .allocate(capacity: capacity)
    range = .allocate(capacity: 1)
    range.initialize(to: Atomic(0))
  }

  func destroy() {
    lanes.deallocate()
    range.deinitialize(count: 1)
    range.deallocate()
  }

  /// Puts a lane in place. By the pool's own thread, before ``open(count:)``.
  @_noLocks func put(_ lane: Int32, at index: Int) { lanes[index] = lane }

  /// Lets the threads take lanes. All those of the cycle before must have been taken.
  @_noLocks func open(count: Int) {
    range.pointee.store(UInt64(count) << 32, ordering: .releasing)
  }

  @_noLocks func takeFirst() -> Int? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (present & 0xFFFF_FFFF, present >> 32)
      if first >= end { return nil }
      if replace(present, end << 32 | first + 1) { return Int(lanes[Int(first)]) }
    }
  }

  @_noLocks func takeLast() -> Int? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (present & 0xFFFF_FFFF, present >> 32)
      if first >= end { return nil }
      if replace(present, (end - 1) << 32 | first) { return Int(lanes[Int(end - 1)]) }
    }
  }

  /// What was put in place is read afterwards, so it must be seen.
  @_noLocks private func replace(_ present: UInt64, _ next: UInt64) -> Bool {
    range.pointee.compareExchange(
      expected: present, desired: next, ordering: .acquiring
    ).exchanged
  }
}
