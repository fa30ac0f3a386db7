/// The header of each entry in a recording.
struct Record: BitwiseCopyable {
  enum Kind: UInt8 {
    /// The end of the recording.
    case none
    case command
    /// A ``CompressedBlock``, which follows the header in memory.
    case block
    /// The recording continues in the next chunk.
    case continuation

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  }

  var kind: Kind
  /// Block: the number of voices after it, at the last count.
  var voices: UInt8 = 0
  /// The size in bytes, including the header: a multiple of 16.
  var size: UInt16
  /// Block: the format of each channel; see ``CompressedBlock``.
  var packing = SIMD4<UInt8>(repeating: 0)
  /// Command: ``LaneCommand/Action/code``.
  var command: UInt64 = 0

  @_noLocks init(_ kind: Kind, size: Int = Self.headerBytes) {
    self.kind = kind
    self.size = UInt16(truncatingIfNeeded: size)
  }

  static var headerBytes: Int { @_noLocks get { 16 } }
  /// The maximum size of a block with its header.
  static var maximumBytes: Int { @_noLocks get { headerBytes + CompressedBlock.maximumBytes } }
  /// The size of a block with the dry signal of a stereo sample and one send.
  static var typicalBytes: Int { @_noLocks get { 560 } }
}
