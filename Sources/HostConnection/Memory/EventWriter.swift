import CRealtime
package import MIDICore

/// The host's end of the event FIFO: writes events in the order in which they act.
///
/// Capacity is fixed, nothing is allocated, and a full FIFO refuses an event whole, so that a note-off is
/// never lost behind a note-on. What is written is seen by the node when ``publish()`` is called.
///
/// Realtime: yes. Threads: the host's, the one that renders.
package struct EventWriter: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutableRawPointer
  private let written: SharedWord
  private let read: SharedWord
  /// Slots written since the beginning. Our own: what stands in the memory may have been spoilt.
  var position: UInt32 = 0

  package init(_ segment: Segment) {
    slots = segment.base + SegmentLayout.slotsOffset
    written = SharedWord(at: segment.base, \.events_written)
    read = SharedWord(at: segment.base, \.events_read)
  }

  /// - Parameter frame: When it acts, in the host's stream.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(_ message: ChannelMessage, at frame: Int64) -> Bool {
    if free < 1 { return false }
    var slot = segment_slot()
    slot.frame = frame
    slot.kind = UInt8(SEGMENT_EVENT_CHANNEL.rawValue)
    slot.bytes = (message.status, message.data1, message.data2)
    store(slot)
    return true
  }

  /// Writes a System Exclusive message that lies in memory in one or two pieces.
  ///
  /// - Parameters:
  ///   - first: Without F0.
  ///   - second: What follows, without F7; may be empty.
  /// - Returns: `false` when the FIFO is full.
  @_noLocks package mutating func write(
    sysEx first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
    at frame: Int64
  ) -> Bool {
    let count = first.count + second.count
    let needed = SegmentLayout.slots(forSysEx: count)
    if free < needed { return false }
    var slot = segment_slot()
    slot.frame = frame
    slot.kind = UInt8(SEGMENT_EVENT_SYSEX.rawValue)
    slot.count = UInt32(count)
    store(slot)
    let begin = Int(position) * Self.slotSize
    copy(first, at: begin)
    copy(second, at: begin + first.count)
    position &+= UInt32(needed - 1)
    return true
  }

  /// Lets the node see what was written.
  @_noLocks package func publish() { written.store(position) }

  private static var slotSize: Int { @_noLocks get { Int(SEGMENT_SLOT_SIZE) } }

  private var free: Int {
    @_noLocks get {
      let used = position &- read.value
      // A node that claims to have read more than there was gets nothing.
      return used > UInt32(SegmentLayout.eventSlots) ? 0 : SegmentLayout.eventSlots - Int(used)
    }
  }

  @_noLocks private mutating func store(_ slot: segment_slot) {
    let index = Int(position) & (SegmentLayout.eventSlots - 1)
    slots.storeBytes(of: slot, toByteOffset: index * Self.slotSize, as: segment_slot.self)
    position &+= 1
  }

  /// - Parameter begin: In bytes since the beginning; wraps.
  @_noLocks private func copy(_ bytes: UnsafeBufferPointer<UInt8>, at begin: Int) {
    guard let source = bytes.baseAddress else { return }
    let capacity = SegmentLayout.eventSlots * Self.slotSize
    let place = begin & (capacity - 1)
    let head = min(bytes.count, capacity - place)
    (slots + place).copyMemory(from: source, byteCount: head)
    slots.copyMemory(from: source + head, byteCount: bytes.count - head)
  }
}
