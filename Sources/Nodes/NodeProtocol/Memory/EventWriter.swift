import CSegment
import LocalSystem
package import RenderCore

/// The producer of an event FIFO. Events must be written in the order in which they act. The host writes the FIFO to
/// the node; the node writes the FIFO to the host.
///
/// The capacity is fixed and nothing is allocated. A full FIFO refuses an event completely instead of overwriting one,
/// so that a note-off is never lost after its note-on. The other process sees written events after ``publish()``.
///
/// Realtime: yes. Threads: the one that renders.
package struct EventWriter: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutableRawPointer
  private let written: SharedWord
  private let read: SharedWord
  /// The number of slots written since the FIFO's creation. A private copy, because the other process may overwrite the
  /// value in the shared memory.
  var position: UInt32 = 0

  package init(_ segment: Segment, _ direction: EventDirection) {
    slots = segment.slots(direction)
    written = segment.written(direction)
    read = segment.read(direction)
  }

  /// Writes a channel message.
  ///
  /// - Parameter frame: The frame at which the message acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ message: ChannelMessage, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_CHANNEL, (message.status, message.data1, message.data2), at: frame, slots: 1)
  }

  /// Writes a system message.
  ///
  /// - Parameter frame: The frame at which the message acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ message: SystemMessage, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_SYSTEM, (message.status, message.data1, message.data2), at: frame, slots: 1)
  }

  /// Writes a parameter change.
  ///
  /// - Parameters:
  ///   - change: The change. Its offset is ignored.
  ///   - frame: The frame at which the change starts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ change: ParameterChange, at frame: Int64) -> Bool {
    guard
      write(
        SEGMENT_EVENT_PARAMETER, (0, 0, 0), count: change.index, at: frame,
        slots: SegmentLayout.slotsOfParameter)
    else { return false }
    let data = segment_parameter(value: change.value, ramp: change.ramp, unused: 0)
    nextSlot.storeBytes(of: data, as: segment_parameter.self)
    position &+= 1
    return true
  }

  /// Begins a System Exclusive message. The caller must then call ``append(_:)`` for each slot of data.
  ///
  /// - Parameters:
  ///   - count: The number of bytes, without F0 and F7.
  ///   - frame: The frame at which the message acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full, and nothing was written.
  @_noLocks package mutating func begin(sysEx count: Int, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_SYSEX, (0, 0, 0), count: UInt32(count), at: frame,
      slots: SegmentLayout.slots(forSysEx: count))
  }

  /// Writes the next slot of a System Exclusive message.
  ///
  /// - Parameter bytes: ``SegmentLayout/slotSize`` bytes. Bytes after the end of the message are ignored.
  @_noLocks package mutating func append(_ bytes: UnsafeRawPointer) {
    nextSlot.copyMemory(from: bytes, byteCount: SegmentLayout.slotSize)
    position &+= 1
  }

  /// Makes the written events visible to the other process.
  @_noLocks package func publish() { written.store(position) }

  /// The number of free slots, which only grows until the next write.
  package var free: Int {
    @_noLocks get {
      let used = position &- read.value
      // If the reader claims to have read more than was written, the FIFO counts as full.
      return used > UInt32(SegmentLayout.eventSlots) ? 0 : SegmentLayout.eventSlots - Int(used)
    }
  }

  private var nextSlot: UnsafeMutableRawPointer {
    @_noLocks get {
      slots + (Int(position) & (SegmentLayout.eventSlots - 1)) * SegmentLayout.slotSize
    }
  }

  /// Writes the first slot of an event if all its slots fit.
  @_noLocks private mutating func write(
    _ kind: segment_event, _ bytes: (UInt8, UInt8, UInt8), count: UInt32 = 0, at frame: Int64,
    slots needed: Int
  ) -> Bool {
    if free < needed { return false }
    let slot = segment_slot(
      frame: frame, count: count, kind: UInt8(kind.rawValue), bytes: bytes)
    nextSlot.storeBytes(of: slot, as: segment_slot.self)
    position &+= 1
    return true
  }
}
