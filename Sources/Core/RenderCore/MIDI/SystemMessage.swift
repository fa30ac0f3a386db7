/// A system common or system real-time message: time code, song position, song select, tune request, clock,
/// start, continue, stop, active sensing or reset. System Exclusive is not included.
///
/// A value is always well formed. Data bytes that the message does not have are 0.
///
/// Realtime: yes.
///
/// Source: *MIDI 1.0 Detailed Specification*, "System Common Messages" and "System Real Time Messages".
public struct SystemMessage: Equatable, Sendable, BitwiseCopyable {
  /// 0xF1…0xF3, 0xF6, 0xF8, 0xFA…0xFC, 0xFE or 0xFF.
  public let status: UInt8
  /// 0…127.
  public let data1: UInt8
  /// 0…127.
  public let data2: UInt8

  /// Makes a message from unchecked bytes.
  ///
  /// - Returns: `nil` for any other status, and unless both data bytes are in 0…127.
  @_noLocks
  public init?(status: UInt8, data1: UInt8 = 0, data2: UInt8 = 0) {
    guard let count = Self.dataCount(ofStatus: status), data1 < 0x80, data2 < 0x80 else {
      return nil
    }
    self.status = status
    self.data1 = count > 0 ? data1 : 0
    self.data2 = count > 1 ? data2 : 0
  }

  @_noLocks private init(status: UInt8) {
    self.status = status
    data1 = 0
    data2 = 0
  }

  /// A timing clock: 24 in each quarter note.
  public static var clock: Self { @_noLocks get { Self(status: 0xF8) } }
  public static var start: Self { @_noLocks get { Self(status: 0xFA) } }
  public static var `continue`: Self { @_noLocks get { Self(status: 0xFB) } }
  public static var stop: Self { @_noLocks get { Self(status: 0xFC) } }
  public static var activeSensing: Self { @_noLocks get { Self(status: 0xFE) } }
  public static var reset: Self { @_noLocks get { Self(status: 0xFF) } }

  /// Makes a song position pointer.
  ///
  /// - Parameter beats: Sixteenth notes since the beginning of the song: 0…16383.
  /// - Returns: `nil` if `beats` is out of range.
  @_noLocks public static func songPosition(_ beats: Int) -> Self? {
    if beats < 0 || beats > 0x3FFF { return nil }
    return Self(status: 0xF2, data1: UInt8(beats & 0x7F), data2: UInt8(beats >> 7))
  }

  /// Returns the number of data bytes after a status; `nil` if the status belongs to another kind of message.
  @_noLocks public static func dataCount(ofStatus status: UInt8) -> Int? {
    switch status {
    case 0xF2: 2
    case 0xF1, 0xF3: 1
    case 0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF: 0
    default: nil
    }
  }
}
