/// An event that is not sent to an instrument: text, tempo, time signature and the like.
///
/// All types are stored with their unchanged data. The members below decode the known types, and return `nil` if
/// type or data do not fit (of longer data, the known part is decoded). Channel prefixes (FF 20) are stored without
/// effect.
///
/// Source: RP-001, "Meta-Event Definitions"; RP-019 for program and device names.
public struct MetaEvent: Equatable, Sendable {
  public let data: [UInt8]
  /// The byte after FF, 0…127. End of track (2F) is ``StandardMIDIFile/Track/endTick`` instead.
  public let type: UInt8

  public init(type: UInt8, data: [UInt8]) {
    self.type = type
    self.data = data
  }

  static let endOfTrackType: UInt8 = 0x2F
  static let portType: UInt8 = 0x21
  static let tempoType: UInt8 = 0x51
  static let timeSignatureType: UInt8 = 0x58
  static let keySignatureType: UInt8 = 0x59

  /// Returns a tempo event.
  ///
  /// - Parameter microsecondsPerQuarter: Microseconds per quarter note, 1…16 777 215.
  /// - Precondition: The tempo is in range.
  public static func tempo(_ microsecondsPerQuarter: UInt32) -> MetaEvent {
    precondition(1...0xFF_FFFF ~= microsecondsPerQuarter)
    return MetaEvent(
      type: tempoType,
      data: [16, 8, 0].map { UInt8(truncatingIfNeeded: microsecondsPerQuarter >> $0) })
  }

  public static func timeSignature(_ signature: TimeSignature) -> MetaEvent {
    MetaEvent(
      type: timeSignatureType,
      data: [
        signature.numerator, signature.denominatorPower, signature.clocksPerClick,
        signature.thirtySecondsPerQuarter,
      ])
  }

  public static func keySignature(_ signature: KeySignature) -> MetaEvent {
    MetaEvent(
      type: keySignatureType,
      data: [UInt8(bitPattern: signature.sharps), signature.isMinor ? 1 : 0])
  }

  /// Returns a port event.
  public static func port(_ number: UInt8) -> MetaEvent {
    MetaEvent(type: portType, data: [number])
  }

  /// Returns a text event, encoded as UTF-8.
  public static func text(_ text: String, _ kind: TextKind = .text) -> MetaEvent {
    MetaEvent(type: kind.rawValue, data: Array(text.utf8))
  }

  /// The tempo in microseconds per quarter note, 1…16 777 215; `nil` for other events.
  public var tempo: UInt32? {
    guard type == Self.tempoType, data.count >= 3 else { return nil }
    let value = UInt32(data[0]) << 16 | UInt32(data[1]) << 8 | UInt32(data[2])
    return value > 0 ? value : nil
  }

  public var timeSignature: TimeSignature? {
    guard type == Self.timeSignatureType, data.count >= 4 else { return nil }
    return TimeSignature(
      numerator: data[0], denominatorPower: data[1], clocksPerClick: data[2],
      thirtySecondsPerQuarter: data[3])
  }

  public var keySignature: KeySignature? {
    guard type == Self.keySignatureType, data.count >= 2, data[1] < 2 else { return nil }
    return KeySignature(sharps: Int8(bitPattern: data[0]), isMinor: data[1] == 1)
  }

  /// The number of the port of the track from here on (FF 21); `nil` for other events.
  public var port: UInt8? { type == Self.portType ? data.first : nil }

  public var textKind: TextKind? { TextKind(rawValue: type) }

  /// The text of a text event. The standard specifies ASCII, but files contain other encodings: valid UTF-8 is
  /// decoded as such, otherwise the text as Windows-1252. ``Timeline`` also recognizes Shift JIS.
  public var text: String? { text(in: .western) }

  /// The text of a text event in a file of an encoding; `nil` for other events.
  func text(in encoding: TextEncoding) -> String? {
    textKind == nil ? nil : encoding.decode(data)
  }

  /// Whether the event is of a type that is neither text nor has an effect on what is played or reported, and is not empty.
  ///
  /// A time code offset of 0 asks for nothing.
  var asks: Bool {
    switch type {
    case Self.tempoType, Self.timeSignatureType, Self.keySignatureType, Self.portType: false
    case 0x54: data.contains { $0 & 0x1F != 0 }
    default: textKind == nil && !data.isEmpty
    }
  }

  /// Whether the type affects playback and the data is invalid for it.
  var isMalformed: Bool {
    switch type {
    case Self.tempoType: tempo == nil
    case Self.timeSignatureType: timeSignature == nil
    case Self.keySignatureType: keySignature == nil
    default: false
    }
  }
}

/// The purpose of a text event; the raw value is the meta event's type.
public enum TextKind: UInt8, Sendable, CaseIterable {
  case text = 1
  case copyright
  case trackName
  case instrumentName
  /// Usually a syllable. Karaoke files (`.kar`) store lyrics in `text` instead.
  case lyric
  case marker
  case cuePoint
  case programName
  case deviceName
}
