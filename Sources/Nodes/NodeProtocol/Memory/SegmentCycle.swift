import CSegment
import Synchronization
package import Threads

/// The part of a segment that says which cycle is asked for and which is done.
///
/// One pattern throughout: whoever has the turn writes, then stores a number with release order; the
/// other loads the number with acquire order, and has the turn when it is the one expected. All values
/// read are the peer's: they may be nonsense, and change at any time. Each read is one load, so that what
/// is checked is what is used.
///
/// Realtime: yes.
package struct SegmentCycle: @unchecked Sendable, BitwiseCopyable {
  /// The number of the cycle that the host asks for.
  package let posted: SharedWord
  /// The number of the cycle that the node has done last.
  package let answered: SharedWord
  private let frameCount: UnsafeMutablePointer<Atomic<UInt32>>
  private let firstFrame: UnsafeMutablePointer<Atomic<Int64>>
  private let time: UnsafeMutablePointer<Atomic<Int64>>
  private let place: UnsafeMutablePointer<Atomic<Int32>>
  private let limit: UnsafeMutablePointer<Atomic<Int64>>
  private let transportCount: UnsafeMutablePointer<Atomic<UInt32>>

  init(base: UnsafeMutableRawPointer) {
    posted = SharedWord(at: base, \.posted)
    answered = SharedWord(at: base, \.answered)
    frameCount = base.field(\.frames).assumingMemoryBound(to: Atomic<UInt32>.self)
    firstFrame = base.field(\.position).assumingMemoryBound(to: Atomic<Int64>.self)
    time = base.field(\.host_time).assumingMemoryBound(to: Atomic<Int64>.self)
    place = base.field(\.processor).assumingMemoryBound(to: Atomic<Int32>.self)
    limit = base.field(\.deadline).assumingMemoryBound(to: Atomic<Int64>.self)
    transportCount = base.field(\.transports).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// Frames asked for.
  package var frames: UInt32 {
    @_noLocks get { frameCount.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { frameCount.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The first frame's place in the host's stream.
  package var position: Int64 {
    @_noLocks get { firstFrame.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { firstFrame.pointee.store(newValue, ordering: .relaxed) }
  }

  /// Nanoseconds of ``MonotonicClock`` at which the first frame is heard.
  package var hostTime: Int64 {
    @_noLocks get { time.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { time.pointee.store(newValue, ordering: .relaxed) }
  }

  /// Where the node may render best; negative: anywhere.
  package var processor: Int32 {
    @_noLocks get { place.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { place.pointee.store(newValue, ordering: .relaxed) }
  }

  /// Nanoseconds of ``MonotonicClock`` until which the host waits; 0: it does not say.
  package var deadline: Int64 {
    @_noLocks get { limit.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { limit.pointee.store(newValue, ordering: .relaxed) }
  }

  /// How many transports there are.
  var transports: UInt32 {
    @_noLocks get { transportCount.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { transportCount.pointee.store(newValue, ordering: .relaxed) }
  }
}

extension UnsafeMutableRawPointer {
  /// A field of the header of the segment that begins here.
  fileprivate func field<Value>(_ field: KeyPath<segment_header, Value>) -> Self {
    guard let offset = MemoryLayout<segment_header>.offset(of: field) else {
      preconditionFailure("a field of a C structure has an offset")
    }
    return self + offset
  }
}

extension SharedWord {
  /// A word of the header of the segment at `base`.
  init(at base: UnsafeMutableRawPointer, _ field: KeyPath<segment_header, UInt32>) {
    self.init(at: base.field(field))
  }
}
