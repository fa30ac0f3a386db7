import CSegment
package import LocalSystem
import Synchronization

/// The fields of a segment that control a cycle: the requested cycle and the completed one.
///
/// Ownership passes between the two processes: the owner writes, then stores the cycle's number with release ordering
/// (the host in ``posted``, the node in ``answered``). The other process loads the number with acquire ordering and
/// owns the shared memory when the number is the expected one. Values written by the peer are not trusted and may
/// change at any time. Each read is one load, so that the validated value is the one used.
///
/// Realtime: yes.
package struct SegmentCycle: @unchecked Sendable, BitwiseCopyable {
  /// The number of the cycle that the host has requested last.
  package let posted: SharedWord
  /// The number of the cycle that the node has completed last.
  package let answered: SharedWord
  private let framesField: UnsafeMutablePointer<Atomic<UInt32>>
  private let positionField: UnsafeMutablePointer<Atomic<Int64>>
  private let hostTimeField: UnsafeMutablePointer<Atomic<Int64>>
  private let processorField: UnsafeMutablePointer<Atomic<Int32>>
  private let deadlineField: UnsafeMutablePointer<Atomic<Int64>>
  private let roundTripField: UnsafeMutablePointer<Atomic<UInt32>>
  private let transportsField: UnsafeMutablePointer<Atomic<UInt32>>

  init(base: UnsafeMutableRawPointer) {
    posted = SharedWord(at: base, \.posted)
    answered = SharedWord(at: base, \.answered)
    framesField = base.field(\.frames).assumingMemoryBound(to: Atomic<UInt32>.self)
    positionField = base.field(\.position).assumingMemoryBound(to: Atomic<Int64>.self)
    hostTimeField = base.field(\.host_time).assumingMemoryBound(to: Atomic<Int64>.self)
    processorField = base.field(\.processor).assumingMemoryBound(to: Atomic<Int32>.self)
    deadlineField = base.field(\.deadline).assumingMemoryBound(to: Atomic<Int64>.self)
    roundTripField = base.field(\.round_trip).assumingMemoryBound(to: Atomic<UInt32>.self)
    transportsField = base.field(\.transports).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// The number of frames of the cycle.
  package var frames: UInt32 {
    @_noLocks get { framesField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { framesField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The position of the first frame in the host's stream.
  package var position: Int64 {
    @_noLocks get { positionField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { positionField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The time at which the first frame is audible, in nanoseconds of ``MonotonicClock``.
  package var hostTime: Int64 {
    @_noLocks get { hostTimeField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { hostTimeField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The processor on which the node should render; negative for any.
  package var processor: Int32 {
    @_noLocks get { processorField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { processorField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The time until which the host waits for the cycle, in nanoseconds of ``MonotonicClock``; 0 if unknown.
  package var deadline: Int64 {
    @_noLocks get { deadlineField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { deadlineField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The host's round trip of the previous cycle in nanoseconds; 0 if unknown.
  package var roundTrip: UInt32 {
    @_noLocks get { roundTripField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { roundTripField.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The number of transports of the cycle.
  var transports: UInt32 {
    @_noLocks get { transportsField.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { transportsField.pointee.store(newValue, ordering: .relaxed) }
  }
}

extension UnsafeMutableRawPointer {
  /// Returns the address of a header field in the segment at this address.
  fileprivate func field<Value>(_ field: KeyPath<segment_header, Value>) -> Self {
    guard let offset = MemoryLayout<segment_header>.offset(of: field) else {
      preconditionFailure("a field of a C structure has an offset")
    }
    return self + offset
  }
}

extension SharedWord {
  /// Creates a reference to a 32-bit header field of the segment at `base`.
  init(at base: UnsafeMutableRawPointer, _ field: KeyPath<segment_header, UInt32>) {
    self.init(at: base.field(field))
  }
}
