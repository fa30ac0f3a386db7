/// The head of each entry in a recording: of a command, or of the block that follows it in memory.
struct Record: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// Nothing is recorded from here on.
    case none
    case command
    case block
    /// It goes on in the next chunk.
    case turn
  }

  var kind: Kind
  /// Of a block: voices after it, as last counted.
  var voices: UInt8 = 0
  /// Bytes, head included: a multiple of 16.
  var size: UInt16
  /// Of a block: see ``PackedBlock``.
  var packing = SIMD4<UInt8>(repeating: 0)
  /// Of a command: ``LaneCommand/Action/code``.
  var command: UInt64 = 0

  @_noLocks init(_ kind: Kind, size: Int = Self.headBytes) {
    self.kind = kind
    self.size = UInt16(truncatingIfNeeded: size)
  }

  var isCommand: Bool { @_noLocks get { if case .command = kind { true } else { false } } }
  var isBlock: Bool { @_noLocks get { if case .block = kind { true } else { false } } }
  var isTurn: Bool { @_noLocks get { if case .turn = kind { true } else { false } } }

  static var headBytes: Int { @_noLocks get { 16 } }
  /// Of a block and its head.
  static var mostBytes: Int { @_noLocks get { headBytes + CompressedBlock.mostBytes } }
  /// A stereo sample's dry sound, and one send.
  static var usualBytes: Int { @_noLocks get { 560 } }
}
