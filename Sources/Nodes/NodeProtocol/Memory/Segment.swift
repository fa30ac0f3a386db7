import CLinux
import CSegment
import Glibc
import LocalSystem
package import RenderCore

/// The mapped shared memory of a connection.
///
/// Creating and releasing a segment is not realtime-safe. Using ``cycle``, the pointers of ``output(channel:)`` and
/// ``input(channel:)``, and the ends of the event FIFOs is; they must not outlive the segment.
package final class Segment: @unchecked Sendable {
  package let layout: SegmentLayout
  let base: UnsafeMutableRawPointer

  private init(mapping descriptor: CInt, _ layout: SegmentLayout) throws(SegmentError) {
    // MAP_POPULATE, so that the render threads cause no page faults.
    let mapped = mmap(
      nil, layout.size, PROT_READ | PROT_WRITE, MAP_SHARED | CInt(MAP_POPULATE), descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw .system(SystemError(call: "mmap")) }
    self.layout = layout
    base = mapped
    // Failure is ignored: locking is useful but may exceed RLIMIT_MEMLOCK.
    mlock(base, layout.size)
  }

  deinit { munmap(base, layout.size) }

  /// Creates a segment, as a host does.
  ///
  /// - Returns: The segment, and its descriptor. The caller sends the descriptor to the node and then closes it.
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

  /// Maps a segment that a host has created. The size and the seals are validated first, and the header afterwards.
  package convenience init(opening descriptor: CInt, _ format: Format) throws(SegmentError) {
    let layout = SegmentLayout(format)
    guard shared_memory_sealed_size(descriptor) == layout.size else {
      throw Self.otherVersion(descriptor) ?? .notSealed(size: layout.size)
    }
    try self.init(mapping: descriptor, layout)
    try check()
  }

  /// Returns the error for memory of the wrong size if the cause is another layout version; otherwise `nil`.
  private static func otherVersion(_ descriptor: CInt) -> SegmentError? {
    // Only a memfd is read: reading another kind of descriptor could block.
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
      found.input_channels == expected.input_channels
    else { throw .contradiction }
  }

  private static func header(_ layout: SegmentLayout) -> segment_header {
    var header = segment_header()
    header.magic = UInt64(SEGMENT_MAGIC)
    header.version = SEGMENT_VERSION
    header.size = UInt32(layout.size)
    header.maximum_frames = UInt32(layout.format.maximumFrames)
    header.output_channels = UInt32(layout.format.outputChannels)
    header.input_channels = UInt32(layout.format.inputChannels)
    return header
  }

  private var header: UnsafeMutablePointer<segment_header> {
    base.assumingMemoryBound(to: segment_header.self)
  }

  /// The samples of an output channel: `maximumFrames` of the format.
  package func output(channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < layout.format.outputChannels)
    return (base + layout.outputOffset(channel: channel)).assumingMemoryBound(to: Float.self)
  }

  /// The samples of an input channel of the node: `maximumFrames` of the format.
  package func input(channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < layout.format.inputChannels)
    return (base + layout.inputOffset(channel: channel)).assumingMemoryBound(to: Float.self)
  }

  /// Stores a word anywhere, as no host should. For checks of nodes, which must not trust what they read.
  ///
  /// - Parameter offset: A multiple of 4, less than the size of the ``layout``.
  package func store(_ word: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset % 4 == 0 && offset < layout.size)
    base.storeBytes(of: word, toByteOffset: offset, as: UInt32.self)
  }

  /// The offsets of the words with which host and node take turns.
  package static var turnOffsets: Set<Int> {
    [
      MemoryLayout<segment_header>.offset(of: \.posted)!,
      MemoryLayout<segment_header>.offset(of: \.answered)!,
    ]
  }

  /// The address of the cycle's first transport.
  var transports: UnsafeMutableRawPointer { base + Int(SEGMENT_TRANSPORT_OFFSET) }

  /// The shared fields that control a cycle.
  package var cycle: SegmentCycle { SegmentCycle(base: base) }
}
