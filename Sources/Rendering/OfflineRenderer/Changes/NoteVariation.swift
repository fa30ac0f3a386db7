import MIDIFile

/// Random changes of notes: some are left out, others moved in time. The same seed makes the same changes to a song.
package struct NoteVariation: Equatable, Sendable {
  /// The probability with which a note is not played: 0…1.
  package var drop = 0.0
  /// The greatest time by which a note is moved, earlier or later, in seconds: 0…1. Each time up to it is equally probable.
  package var jitter = 0.0
  package var seed: UInt64 = 0

  package init() {}

  package var isNothing: Bool { drop == 0 && jitter == 0 }

  /// Returns whether a note is left out.
  ///
  /// - Parameter note: Its number in the file.
  func drops(_ note: Int32) -> Bool { random(note, of: 0) < drop }

  /// Returns by how many frames a note is moved.
  func shift(_ note: Int32, sampleRate: Int) -> Int64 {
    Int64(((2 * random(note, of: 1) - 1) * jitter * Double(sampleRate)).rounded())
  }

  /// Returns a number in 0..<1 for a note: by its number rather than in order, so that it does not depend on what is muted.
  private func random(_ note: Int32, of purpose: UInt64) -> Double {
    var number =
      seed &+ (UInt64(UInt32(bitPattern: note)) * 2 + purpose + 1) &* 0x9E37_79B9_7F4A_7C15
    // SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    number ^= number >> 31
    return Double(number >> 11) * 0x1p-53
  }
}

/// Moves the notes of a song in time.
///
/// A note keeps its length, except that it ends where its key is struck again. It is not moved before the beginning of the song, a
/// program change of its channel, or the note before of its key.
struct NoteMover {
  private let variation: NoteVariation
  private let sampleRate: Int
  private let keys: Int
  /// For each port, channel and key, the shift and the frame of the last note, and the place of its end.
  private var last: [(shift: Int64, frame: Int64, end: Int?)]
  /// For each channel of each port, the frame of the last change of its preset.
  private var programs: [Int64]

  init(_ variation: NoteVariation, sampleRate: Int, ports: Int) {
    (self.variation, self.sampleRate) = (variation, sampleRate)
    keys = ports * 16 * 128
    last = Array(repeating: (0, -1, nil), count: variation.jitter == 0 ? 0 : keys)
    programs = Array(repeating: 0, count: variation.jitter == 0 ? 0 : ports * 16)
  }

  /// Whether notes are moved.
  var moves: Bool { variation.jitter != 0 }

  mutating func changeProgram(ofPlace place: Int, at frame: Int64) {
    if moves { programs[place] = frame }
  }

  /// Returns the frame of a note-on.
  ///
  /// - Parameters:
  ///   - key: The index of port, channel and key.
  ///   - note: The number of the note in the file.
  ///   - events: The events so far, in which the end of the note before may be moved.
  mutating func begin(
    _ note: Int32, key: Int, at frame: Int64, _ events: inout [Timeline.Event]
  ) -> Int64 {
    guard moves else { return frame }
    let shift = variation.shift(note, sampleRate: sampleRate)
    let moved = max(frame + shift, programs[key / 128], last[key].frame + 1)
    if let end = last[key].end, events[end].frame > moved {
      let event = events[end]
      events[end] = Timeline.Event(
        frame: moved, track: event.track, port: event.port, event.message)
    }
    last[key] = (moved - frame, moved, nil)
    return moved
  }

  /// Returns the frame of the end of a note, or of a message for its key, which becomes the next of the events.
  mutating func move(key: Int, at frame: Int64, isEnd: Bool, place: Int) -> Int64 {
    guard moves else { return frame }
    let moved = max(frame + last[key].shift, last[key].frame)
    if isEnd { last[key].end = place }
    return moved
  }
}
