import CLinux
import CSegment
import Glibc
package import RenderCore
package import Threads

/// One connection's shared memory, mapped.
///
/// Making and dropping it is not realtime; what ``cycle``, ``output(channel:)`` and the event FIFOs'
/// ends give is, and must not outlive it.
package final class Segment: @unchecked Sendable {
  package let layout: SegmentLayout
  let base: UnsafeMutableRawPointer

  private init(mapping descriptor: CInt, _ layout: SegmentLayout) throws(SegmentError) {
    // Populated, so that no render thread meets a page that is not there yet.
    let mapped = mmap(
      nil, layout.size, PROT_READ | PROT_WRITE, MAP_SHARED | CInt(MAP_POPULATE), descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw .system(SystemError(call: "mmap")) }
    self.layout = layout
    base = mapped
    // Helps where it is permitted; where it is not, there is nothing to be done.
    mlock(base, layout.size)
  }

  deinit { munmap(base, layout.size) }

  /// Makes a segment, as a host does.
  ///
  /// - Returns: The segment, and the descriptor to hand to the node and to close then.
  package static func make(
    _ format: Format
  ) throws(SegmentError) -> (segment: Segment, descriptor: CInt) {
    let layout = SegmentLayout(format)
    let descriptor = shared_memory_create("portative", layout.size)
    if descriptor < 0 { throw .system(SystemError(call: "memfd_create")) }
    do throws(SegmentError) {
      let segment = try Segment(mapping: descriptor, layout)
      segment.header.initialize(to: Self.header(layout))
      return (segment, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Maps a segment that a host has made, once everything about it that could harm is checked.
  package convenience init(opening descriptor: CInt, _ format: Format) throws(SegmentError) {
    let layout = SegmentLayout(format)
    guard shared_memory_sealed_size(descriptor) == layout.size else {
      throw Self.otherVersion(descriptor) ?? .notSealed(size: layout.size)
    }
    try self.init(mapping: descriptor, layout)
    try check()
  }

  /// What to say of memory of the wrong size, where the reason is that the other side lays it out otherwise.
  private static func otherVersion(_ descriptor: CInt) -> SegmentError? {
    // Nothing but memory is read from, for a read of anything else may take for ever.
    guard shared_memory_sealed_size(descriptor) >= MemoryLayout<segment_header>.size else {
      return nil
    }
    var found = segment_header()
    let count = pread(descriptor, &found, MemoryLayout<segment_header>.size, 0)
    guard count == MemoryLayout<segment_header>.size, found.magic == UInt64(SEGMENT_MAGIC),
      found.version != SEGMENT_VERSION
    else { return nil }
    return .version(found: found.version, expected: SEGMENT_VERSION)
  }

  private func check() throws(SegmentError) {
    let found = header.pointee
    let expected = Self.header(layout)
    guard found.magic == expected.magic else { throw .foreign }
    guard found.version == expected.version else {
      throw .version(found: found.version, expected: expected.version)
    }
    guard found.size == expected.size, found.maximum_frames == expected.maximum_frames,
      found.output_channels == expected.output_channels,
      found.input_channels == expected.input_channels, found.event_slots == expected.event_slots
    else { throw .contradiction }
  }

  private static func header(_ layout: SegmentLayout) -> segment_header {
    var header = segment_header()
    header.magic = UInt64(SEGMENT_MAGIC)
    header.version = SEGMENT_VERSION
    header.size = UInt32(layout.size)
    header.maximum_frames = UInt32(layout.format.maximumFrames)
    header.output_channels = UInt32(layout.format.channels)
    header.input_channels = UInt32(layout.format.inputChannels)
    header.event_slots = UInt32(SegmentLayout.eventSlots)
    return header
  }

  private var header: UnsafeMutablePointer<segment_header> {
    base.assumingMemoryBound(to: segment_header.self)
  }

  /// One channel's samples: as many as the format's longest cycle has frames.
  package func output(channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < layout.format.channels)
    return (base + layout.outputOffset(channel: channel)).assumingMemoryBound(to: Float.self)
  }

  /// The same of what the node works on.
  package func input(channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < layout.format.inputChannels)
    return (base + layout.inputOffset(channel: channel)).assumingMemoryBound(to: Float.self)
  }

  /// Where the cycle's transports begin.
  var transports: UnsafeMutableRawPointer { base + Int(SEGMENT_TRANSPORT_OFFSET) }

  /// The cycle's words, for whoever renders.
  package var cycle: SegmentCycle { SegmentCycle(base: base) }
}

/// Why a segment cannot be made or taken.
package enum SegmentError: Error, Equatable, CustomStringConvertible {
  case system(SystemError)
  /// The descriptor is no memory, or not of this size, or could be resized at any time.
  case notSealed(size: Int)
  case foreign
  case version(found: UInt32, expected: UInt32)
  /// The header contradicts the format agreed on.
  case contradiction

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notSealed(let size):
      "the memory handed over must be a memfd of exactly \(size) bytes, sealed against resizing"
    case .foreign: "the memory handed over does not begin with the mark of a segment"
    case .version(let found, let expected):
      "the memory handed over has layout version \(found), but this side speaks \(expected): "
        + "use the same version of Portative on both sides"
    case .contradiction: "the memory handed over contradicts the format agreed on"
    }
  }
}
