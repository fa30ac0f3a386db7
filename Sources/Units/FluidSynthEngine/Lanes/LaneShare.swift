import RenderCore
import Synchronization

/// Lanes that several threads may render in the current cycle (work stealing): one thread takes lanes from the front,
/// the others from the back, so that no thread waits while another has lanes left.
///
/// `@unchecked Sendable`: until the cycle ends, only the thread that took a lane accesses it.
struct LaneShare: @unchecked Sendable, BitwiseCopyable {
  /// Indices into the engine's table.
  private let lanes: UnsafeMutablePointer<Int32>
  /// The range of `lanes` that is left: the start in the lower 32 bits, the end in the upper 32 bits.
  private let range: UnsafeMutablePointer<Atomic<UInt64>>

  /// Lanes that a thread has taken: their indices, for ``lane(at:)``.
  struct Part {
    let first: Int
    let count: Int
  }

  init(capacity: Int, in memory: RenderMemory) {
    lanes = memory.make(capacity, of: 0)
    range = memory.make(Atomic(0))
  }

  /// Sets a lane. Called by the thread that publishes, before ``publish(count:)``.
  @_noLocks func set(_ lane: Int32, at index: Int) { lanes[index] = lane }

  /// Returns a lane that the caller has taken.
  @_noLocks func lane(at index: Int) -> Int { Int(lanes[index]) }

  /// Makes the first `count` lanes available. All lanes of the previous cycle must have been taken.
  @_noLocks func publish(count: Int) {
    range.pointee.store(UInt64(count) << 32, ordering: .releasing)
  }

  /// Takes the first lane.
  @_noLocks func popFirst() -> Int? {
    guard let taken = takeFirst(sharedBy: .max) else { return nil }
    return Int(lanes[taken.first])
  }

  /// Takes the last lane.
  @_noLocks func popLast() -> Int? {
    guard let taken = takeLast(sharedBy: .max) else { return nil }
    return Int(lanes[taken.first])
  }

  /// Takes some of the first lanes: the more are left, the more at once, because each call costs about as much as a
  /// twentieth of a block. Towards the end one at a time, so that all threads finish at about the same time.
  ///
  /// - Parameter threads: The number of threads that share the lanes.
  /// - Returns: The lanes; `nil` if none are left.
  @_noLocks func takeFirst(sharedBy threads: Int) -> Part? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (Int(present & 0xFFFF_FFFF), Int(present >> 32))
      if first >= end { return nil }
      let count = Self.portion(of: end - first, threads)
      if replace(present, first + count, end) { return Part(first: first, count: count) }
    }
  }

  /// Takes some of the last lanes, as ``takeFirst(sharedBy:)`` does.
  @_noLocks func takeLast(sharedBy threads: Int) -> Part? {
    while true {
      let present = range.pointee.load(ordering: .acquiring)
      let (first, end) = (Int(present & 0xFFFF_FFFF), Int(present >> 32))
      if first >= end { return nil }
      let count = Self.portion(of: end - first, threads)
      if replace(present, first, end - count) { return Part(first: end - count, count: count) }
    }
  }

  @_noLocks private static func portion(of count: Int, _ threads: Int) -> Int {
    max(1, min(count / threads / 4, 8))
  }

  /// Acquire ordering, because the lane index written before the publication is read next.
  @_noLocks private func replace(_ present: UInt64, _ first: Int, _ end: Int) -> Bool {
    range.pointee.compareExchange(
      expected: present, desired: UInt64(end) << 32 | UInt64(first), ordering: .acquiring
    ).exchanged
  }
}
