import CSegment
package import RenderCore
import Threads

/// The end of an event FIFO where events go in, in the order in which they act: of the one to the node, the
/// host's; of the one to the host, the node's.
///
/// Capacity is fixed, nothing is allocated, and a full FIFO refuses an event whole, so that a note-off is
/// never lost behind a note-on. What is written is seen by the other side when ``publish()`` is called.
///
/// Realtime: yes. Threads: the one that renders.
package struct EventWriter: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutableRawPointer
  private let written: SharedWord
  private let read: SharedWord
  /// Slots written since the beginning. Our own: what stands in the memory may have been spoilt.
  var position: UInt32 = 0

  package init(_ segment: Segment, _ direction: EventDirection) {
    slots = segment.slots(direction)
    written = segment.written(direction)
    read = segment.read(direction)
  }

  /// - Parameter frame: When it acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ message: ChannelMessage, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_CHANNEL, (message.status, message.data1, message.data2), at: frame, slots: 1)
  }

  /// - Parameter frame: When it acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ message: SystemMessage, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_SYSTEM, (message.status, message.data1, message.data2), at: frame, slots: 1)
  }

  /// - Parameters:
  ///   - change: Its offset means nothing here.
  ///   - frame: When it begins, in the host's stream.
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

  /// Begins a System Exclusive message; ``append(_:)`` must follow for each of its slots.
  ///
  /// - Parameter count: Its bytes, without F0 and F7.
  /// - Returns: `false` when the FIFO is full, and nothing was written.
  @_noLocks package mutating func begin(sysEx count: Int, at frame: Int64) -> Bool {
    write(
      SEGMENT_EVENT_SYSEX, (0, 0, 0), count: UInt32(count), at: frame,
      slots: SegmentLayout.slots(forSysEx: count))
  }

  /// Writes the next slot of a System Exclusive message.
  ///
  /// - Parameter bytes: ``SegmentLayout/slotSize`` of them; those after the message's end mean nothing.
  @_noLocks package mutating func append(_ bytes: UnsafeRawPointer) {
    nextSlot.copyMemory(from: bytes, byteCount: SegmentLayout.slotSize)
    position &+= 1
  }

  /// Lets the other side see what was written.
  @_noLocks package func publish() { written.store(position) }

  /// Slots that are free. There are only more of them later.
  package var free: Int {
    @_noLocks get {
      let used = position &- read.value
      // A reader that claims to have read more than there was gets nothing.
      return used > UInt32(SegmentLayout.eventSlots) ? 0 : SegmentLayout.eventSlots - Int(used)
    }
  }

  private var nextSlot: UnsafeMutableRawPointer {
    @_noLocks get {
      slots + (Int(position) & (SegmentLayout.eventSlots - 1)) * SegmentLayout.slotSize
    }
  }

  /// Writes an event's first slot, if there is room for all of it.
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
