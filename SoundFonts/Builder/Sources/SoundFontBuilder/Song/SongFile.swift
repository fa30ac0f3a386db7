/// A Standard MIDI File of format 1, written event by event.
///
/// Source: MIDI Manufacturers Association, RP-001, *Standard MIDI Files 1.0*.
struct SongFile {
  /// Fine enough to place a grace note to the millisecond.
  static let ticksPerBeat = 960

  /// What happens at one tick: a channel message, or a whole SysEx or meta event.
  struct Event {
    var tick: Int
    var bytes: [UInt8]
  }

  /// Chunks in the order of the file; the first holds the tempo.
  var tracks: [[Event]] = []

  /// Text events: 0x03 names a track, 0x01 says anything, 0x02 is the copyright.
  static func text(_ kind: UInt8, _ text: String) -> Event {
    let utf8 = Array(text.utf8)
    return Event(tick: 0, bytes: [0xff, kind] + variableLength(utf8.count) + utf8)
  }

  static func tempo(beatsPerMinute: Double, tick: Int) -> Event {
    let micros = Int((60_000_000 / beatsPerMinute).rounded())
    return Event(
      tick: tick,
      bytes: [0xff, 0x51, 3] + [16, 8, 0].map { UInt8(truncatingIfNeeded: micros >> $0) })
  }

  /// Universal SysEx: General MIDI System On.
  static let generalMIDIOn = Event(tick: 0, bytes: [0xf0, 5, 0x7e, 0x7f, 0x09, 0x01, 0xf7])

  func bytes() -> [UInt8] {
    var file = Array("MThd".utf8) + Self.bigEndian(6, 4) + Self.bigEndian(1, 2)
    file += Self.bigEndian(tracks.count, 2) + Self.bigEndian(Self.ticksPerBeat, 2)
    for track in tracks {
      let content = Self.content(of: track)
      file += Array("MTrk".utf8) + Self.bigEndian(content.count, 4) + content
    }
    return file
  }

  private static func content(of track: [Event]) -> [UInt8] {
    // The order of events on one tick is kept: a program comes before its note.
    let ordered = track.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }
    var content: [UInt8] = []
    var now = 0
    for (_, event) in ordered {
      content += variableLength(event.tick - now) + event.bytes
      now = event.tick
    }
    return content + [0, 0xff, 0x2f, 0]
  }

  /// Seven bits per byte, high bits first, the top bit set in all but the last byte.
  static func variableLength(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7f)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  private static func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
