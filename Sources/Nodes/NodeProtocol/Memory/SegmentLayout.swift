import CSegment
package import RenderCore

/// The layout of the memory that a host and a node share, for one format.
///
/// Both processes compute the offsets from the agreed format; no offset is read from the shared memory. `segment.h` of
/// CSegment describes the header and the slots.
package struct SegmentLayout: Equatable, Sendable {
  package let format: Format
  /// The number of slots of each event FIFO, a power of two.
  package static var eventSlots: Int { @_noLocks get { 4096 } }
  /// The size of a slot in bytes.
  package static var slotSize: Int { @_noLocks get { Int(SEGMENT_SLOT_SIZE) } }
  /// The length in bytes of the longest System Exclusive message that a FIFO can hold, without F0 and F7.
  package static var longestSysEx: Int {
    @_noLocks get { (eventSlots - 1) * slotSize }
  }

  /// Returns the number of slots of a System Exclusive message with `count` bytes.
  @_noLocks package static func slots(forSysEx count: Int) -> Int {
    1 + (count + slotSize - 1) / slotSize
  }

  /// The number of slots of a parameter change.
  package static var slotsOfParameter: Int { @_noLocks get { 2 } }

  package init(_ format: Format) { self.format = format }

  static func slotsOffset(_ direction: EventDirection) -> Int {
    let fifo = eventSlots * slotSize
    return Int(SEGMENT_SLOTS_OFFSET) + (direction == .toNode ? 0 : fifo)
  }

  /// The distance in bytes between the samples of two adjacent channels; a multiple of 64.
  var channelStride: Int { (format.maximumFrames * MemoryLayout<Float>.stride + 63) & ~63 }

  func outputOffset(channel: Int) -> Int {
    Self.slotsOffset(.toHost) + Self.eventSlots * Self.slotSize + channel * channelStride
  }

  func inputOffset(channel: Int) -> Int { outputOffset(channel: format.channels + channel) }

  /// The total size in bytes, rounded up to whole pages of 4096 bytes.
  package var size: Int { (inputOffset(channel: format.inputChannels) + 4095) & ~4095 }
}
