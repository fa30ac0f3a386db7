import CRealtime

/// The part of a segment that says which cycle is asked for and which is done.
///
/// One pattern throughout: whoever has the turn writes plainly, then stores a number with release order;
/// the other loads the number with acquire order, and has the turn when it is the one expected. All
/// values read are the peer's and may be nonsense.
///
/// Realtime: yes.
package struct SegmentCycle: @unchecked Sendable, BitwiseCopyable {
  private let header: UnsafeMutablePointer<segment_header>
  /// The number of the cycle that the host asks for.
  package let posted: SharedWord
  /// The number of the cycle that the node has done last.
  package let answered: SharedWord

  init(base: UnsafeMutableRawPointer) {
    header = base.assumingMemoryBound(to: segment_header.self)
    posted = SharedWord(at: base, \.posted)
    answered = SharedWord(at: base, \.answered)
  }

  /// Frames asked for.
  package var frames: UInt32 {
    @_noLocks get { header.pointee.frames }
    @_noLocks nonmutating set { header.pointee.frames = newValue }
  }

  /// The first frame's place in the host's stream.
  package var position: Int64 {
    @_noLocks get { header.pointee.position }
    @_noLocks nonmutating set { header.pointee.position = newValue }
  }

  /// Nanoseconds of ``MonotonicClock`` at which the first frame is heard.
  package var hostTime: Int64 {
    @_noLocks get { header.pointee.host_time }
    @_noLocks nonmutating set { header.pointee.host_time = newValue }
  }

  /// Where the node may render best; negative: anywhere.
  package var processor: Int32 {
    @_noLocks get { header.pointee.processor }
    @_noLocks nonmutating set { header.pointee.processor = newValue }
  }
}

extension SharedWord {
  /// A word of the header of the segment at `base`.
  init(at base: UnsafeMutableRawPointer, _ field: KeyPath<segment_header, UInt32>) {
    guard let offset = MemoryLayout<segment_header>.offset(of: field) else {
      preconditionFailure("a field of a C structure has an offset")
    }
    self.init(at: base + offset)
  }
}
