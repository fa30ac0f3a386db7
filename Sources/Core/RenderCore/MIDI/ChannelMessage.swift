/// A MIDI 1.0 channel message of two or three bytes.
///
/// A value of this type is always well formed: the status is a channel status and both data bytes are in 0…127, so a
/// render thread need not check them again. `data2` is 0 if the message has one data byte.
///
/// Realtime: yes.
///
/// Source: *MIDI 1.0 Detailed Specification*, 4.2.1, "Channel Voice Messages".
public struct ChannelMessage: Equatable, Sendable, BitwiseCopyable {
  /// The kind in the upper four bits, the channel in the lower four: 0x80…0xEF.
  public let status: UInt8
  /// Key, controller, program or pressure, or the low seven bits of a pitch bend: 0…127.
  public let data1: UInt8
  /// Velocity, controller value or pressure, or the high seven bits of a pitch bend: 0…127.
  public let data2: UInt8

  /// Makes a message from unchecked bytes. If the message has one data byte, `data2` is ignored and stored as 0.
  ///
  /// - Returns: `nil` unless `status` is in 0x80…0xEF and both data bytes are in 0…127.
  @_noLocks
  public init?(status: UInt8, data1: UInt8, data2: UInt8) {
    guard status >= 0x80, status < 0xF0, data1 < 0x80, data2 < 0x80 else { return nil }
    self.status = status
    self.data1 = data1
    self.data2 = Self.dataCount(ofStatus: status) == 2 ? data2 : 0
  }

  /// Makes a message from values that are known to be in range.
  ///
  /// - Parameters:
  ///   - channel: 0…15; shown to the user as 1…16.
  ///   - data1: 0…127.
  ///   - data2: 0…127; stored as 0 if the message has one data byte.
  /// - Precondition: `channel`, `data1` and `data2` are in range.
  @_noLocks
  public init(_ kind: Kind, channel: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
    precondition(channel < 16 && data1 < 0x80 && data2 < 0x80)
    self.status = kind.rawValue | channel
    self.data1 = data1
    self.data2 = Self.dataCount(ofStatus: kind.rawValue) == 2 ? data2 : 0
  }

  /// The kind of a message; the raw value is the status byte on channel 0.
  public enum Kind: UInt8, Sendable {
    case noteOff = 0x80
    case noteOn = 0x90
    case keyPressure = 0xA0
    case controlChange = 0xB0
    case programChange = 0xC0
    case channelPressure = 0xD0
    case pitchBend = 0xE0
  }

  public var kind: Kind {
    @_noLocks get {
      switch status & 0xF0 {
      case 0x80: .noteOff
      case 0x90: .noteOn
      case 0xA0: .keyPressure
      case 0xB0: .controlChange
      case 0xC0: .programChange
      case 0xD0: .channelPressure
      default: .pitchBend
      }
    }
  }

  /// 0…15; shown to the user as 1…16.
  public var channel: UInt8 { @_noLocks get { status & 0x0F } }

  /// Whether the message is a note-on with a velocity above 0. With velocity 0 it is a note-off.
  public var startsNote: Bool { @_noLocks get { status & 0xF0 == 0x90 && data2 > 0 } }

  /// Whether the message is a note-off, or a note-on with velocity 0.
  public var endsNote: Bool {
    @_noLocks get { status & 0xF0 == 0x80 || (status & 0xF0 == 0x90 && data2 == 0) }
  }

  /// Whether the message may make later notes continue earlier ones: mono mode on, legato pedal on, or
  /// portamento control.
  public var asksForLegato: Bool {
    @_noLocks get {
      guard status & 0xF0 == 0xB0 else { return false }
      switch data1 {
      case 68: return data2 >= 64
      case 84, 126: return true
      default: return false
      }
    }
  }

  /// The value of a pitch bend: 0…16383; 8192 is the center.
  public var bend: UInt16 { @_noLocks get { UInt16(data2) << 7 | UInt16(data1) } }

  /// Returns the number of data bytes after a channel status: 1 for program change and channel pressure, otherwise 2.
  ///
  /// - Parameter status: 0x80…0xEF.
  @_noLocks
  public static func dataCount(ofStatus status: UInt8) -> Int {
    status & 0xE0 == 0xC0 ? 1 : 2
  }
}
