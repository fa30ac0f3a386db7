import MIDIFile

/// Returns a valid header chunk with these values.
func header(_ format: UInt8, tracks: UInt8 = 1, division: [UInt8] = [0x01, 0xE0]) -> [UInt8] {
  Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, tracks] + division
}

/// Returns a track chunk; `length` overrides the announced length.
func chunk(_ events: [UInt8], length: Int? = nil, name: String = "MTrk") -> [UInt8] {
  let length = UInt32(length ?? events.count)
  return Array(name.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + events
}

/// An end-of-track event with delta time 0.
let end: [UInt8] = [0x00, 0xFF, 0x2F, 0x00]

/// Returns the bytes of a note-on with delta time 0 and its note-off `ticks` later, at most 127.
func note(_ key: UInt8, ticks: UInt8 = 96) -> [UInt8] {
  [0x00, 0x90, key, 0x64, ticks, 0x80, key, 0x40]
}

/// Returns a file with one track that contains these events and an end of track.
func file(_ events: [UInt8], division: [UInt8] = [0x01, 0xE0]) throws -> StandardMIDIFile {
  try StandardMIDIFile(decoding: header(0, division: division) + chunk(events + end))
}

extension StandardMIDIFile {
  /// The kinds of all repairs, in order.
  var repairKinds: [Repair.Kind] { repairs.map(\.kind) }

  /// The contents of the first track's events.
  var contents: [Content] { tracks[0].events.map(\.content) }
}

/// A seeded random number generator, equal on all machines (SplitMix64, Steele and others, 2014).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
