@testable import MIDIFile

/// A header chunk as it should be, with the numbers in the file's order.
func header(_ format: UInt8, tracks: UInt8 = 1, division: [UInt8] = [0x01, 0xE0]) -> [UInt8] {
  Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, tracks] + division
}

/// A track chunk with the length of its events, unless it is to announce another one.
func chunk(_ events: [UInt8], length: Int? = nil, name: String = "MTrk") -> [UInt8] {
  let length = UInt32(length ?? events.count)
  return Array(name.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + events
}

/// The end-of-track event at the tick before it.
let end: [UInt8] = [0x00, 0xFF, 0x2F, 0x00]

/// A key pressed at once and held for `ticks`, at most 127, as the bytes of two events.
func note(_ key: UInt8, ticks: UInt8 = 96) -> [UInt8] {
  [0x00, 0x90, key, 0x64, ticks, 0x80, key, 0x40]
}

/// A file of one track that has these events, followed by an end of track.
func file(_ events: [UInt8], division: [UInt8] = [0x01, 0xE0]) throws -> StandardMIDIFile {
  try StandardMIDIFile(decoding: header(0, division: division) + chunk(events + end))
}

extension StandardMIDIFile {
  /// The kinds of all repairs, in their order.
  var repairKinds: [Repair.Kind] { repairs.map(\.kind) }

  /// What the first track holds, without its ticks.
  var contents: [Content] { tracks[0].events.map(\.content) }
}

/// The same numbers for the same seed, on any machine (SplitMix64, Steele and others, 2014).
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
