import CSegment
package import RenderCore

/// Where everything lies in the memory that a host and a node share, for one format.
///
/// Both sides work it out by themselves, from the format they agreed on: no offset is ever read from the
/// memory. `segment.h` of CRealtime describes the header and the slots.
package struct SegmentLayout: Equatable, Sendable {
  package let format: Format
  /// Slots of each event FIFO: a power of two.
  package static var eventSlots: Int { @_noLocks get { 4096 } }
  /// Bytes of a slot.
  package static var slotSize: Int { @_noLocks get { Int(SEGMENT_SLOT_SIZE) } }
  /// The longest System Exclusive message that a FIFO can hold, without F0 and F7.
  package static var longestSysEx: Int {
    @_noLocks get { (eventSlots - 1) * slotSize }
  }

  /// Slots that a System Exclusive message of so many bytes takes.
  @_noLocks package static func slots(forSysEx count: Int) -> Int {
    1 + (count + slotSize - 1) / slotSize
  }

  /// Slots that a parameter's change takes.
  package static var slotsOfParameter: Int { @_noLocks get { 2 } }

  package init(_ format: Format) { self.format = format }

  static func slotsOffset(_ direction: EventDirection) -> Int {
    let fifo = eventSlots * slotSize
    return Int(SEGMENT_SLOTS_OFFSET) + (direction == .toNode ? 0 : fifo)
  }

  /// Bytes from one channel's samples to the next one's.
  var channelStride: Int { (format.maximumFrames * MemoryLayout<Float>.stride + 63) & ~63 }

  func outputOffset(channel: Int) -> Int {
    Self.slotsOffset(.toHost) + Self.eventSlots * Self.slotSize + channel * channelStride
  }

  func inputOffset(channel: Int) -> Int { outputOffset(channel: format.channels + channel) }

  /// Bytes in all: whole pages.
  package var size: Int { (inputOffset(channel: format.inputChannels) + 4095) & ~4095 }
}
