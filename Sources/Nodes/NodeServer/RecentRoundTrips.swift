import RenderCore
import Synchronization

/// The round trips that a host has stated in the last seconds.
///
/// Realtime: ``add(_:at:)``. Threads: one thread adds; any thread reads.
///
/// `@unchecked Sendable`: the entries and their number are atomic.
struct RecentRoundTrips: @unchecked Sendable, BitwiseCopyable {
  /// A ring. Each entry has the time in units of 2²⁰ ns in its upper half, and the round trip in its lower half.
  private let entries: UnsafeMutablePointer<Atomic<UInt64>>
  /// The number of entries that were added.
  private let count: UnsafeMutablePointer<Atomic<Int>>

  struct Figures: Equatable {
    /// In nanoseconds.
    var median: UInt32
    var longest: UInt32
  }

  /// The number of entries, a power of two: 5 s in cycles of 64 frames.
  static var capacity: Int { @_noLocks get { 4096 } }
  /// The age in nanoseconds beyond which an entry does not count.
  static let age: Int64 = 5_000_000_000

  init(in memory: RenderMemory) {
    entries = memory.makeEach(Self.capacity) { _ in Atomic(0) }
    count = memory.make(Atomic(0))
  }

  /// - Parameters:
  ///   - nanoseconds: The round trip; not 0.
  ///   - now: The time of ``MonotonicClock``.
  @_noLocks func add(_ nanoseconds: UInt32, at now: Int64) {
    let number = count.pointee.load(ordering: .relaxed)
    let entry = UInt64(Self.time(now)) << 32 | UInt64(nanoseconds)
    entries[number & (Self.capacity - 1)].store(entry, ordering: .relaxed)
    count.pointee.store(number &+ 1, ordering: .relaxed)
  }

  @_noLocks private static func time(_ now: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: now >> 20)
  }

  /// Returns the figures of the last seconds; `nil` without round trips.
  func figures(at now: Int64) -> Figures? {
    let used = min(count.pointee.load(ordering: .relaxed), Self.capacity)
    let oldest = UInt32(truncatingIfNeeded: Self.age >> 20)
    var times: [UInt32] = []
    for index in 0..<used {
      let entry = entries[index].load(ordering: .relaxed)
      // The times wrap. An entry of a cycle that begins just now may be newer than `now`.
      let age = Int32(bitPattern: Self.time(now) &- UInt32(entry >> 32))
      if age <= Int32(oldest) { times.append(UInt32(truncatingIfNeeded: entry)) }
    }
    if times.isEmpty { return nil }
    times.sort()
    return Figures(median: times[times.count / 2], longest: times[times.count - 1])
  }
}
