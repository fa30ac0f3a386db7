import CSegment
package import RenderCore

/// The layout of the memory that a host and a node share, for one format.
///
/// Both processes compute the offsets from the agreed format; no offset is read from the shared memory. `segment.h` of
/// CSegment describes the header and the slots.
package struct SegmentLayout: Equatable, Sendable {
  package let format: Format
  /// The number of slots of each event FIFO, a power of two.
  package static var eventSlots: Int { @_noLocks get { Int(SEGMENT_EVENT_SLOTS) } }
  /// The size of a slot in bytes.
  package static var slotSize: Int { @_noLocks get { Int(SEGMENT_SLOT_SIZE) } }
  /// The length in bytes of the longest System Exclusive message that a FIFO can hold, without F0 and F7.
  package static var longestSysEx: Int {
    @_noLocks get { Int(SEGMENT_LONGEST_SYSEX) }
  }

  /// Returns the number of slots of a System Exclusive message with `count` bytes.
  @_noLocks package static func slots(forSysEx count: Int) -> Int {
    1 + (count + slotSize - 1) / slotSize
  }

  /// The number of slots of a parameter change.
  package static var slotsOfParameter: Int { @_noLocks get { 2 } }

  package init(_ format: Format) { self.format = format }

  static func slotsOffset(_ direction: EventDirection) -> Int {
    Int(direction == .toNode ? SEGMENT_TO_NODE_OFFSET : SEGMENT_TO_HOST_OFFSET)
  }

  func outputOffset(channel: Int) -> Int {
    segment_output_offset(UInt32(format.maximumFrames), UInt32(channel))
  }

  func inputOffset(channel: Int) -> Int {
    segment_input_offset(
      UInt32(format.maximumFrames), UInt32(format.outputChannels), UInt32(channel))
  }

  /// The total size in bytes, a multiple of 4096.
  package var size: Int {
    segment_size(
      UInt32(format.maximumFrames), UInt32(format.outputChannels), UInt32(format.inputChannels))
  }
}
