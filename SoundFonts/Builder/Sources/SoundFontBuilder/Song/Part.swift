/// One player of the song: a channel, its instrument, and what is played on it.
///
/// Players are human. Each note is moved by a few milliseconds and a few steps of velocity, from a
/// source seeded with the player's name, so that every build plays alike.
struct Part {
  let name: String
  let channel: UInt8
  /// Beats by which notes stray; 0.01 beats are about 6 ms.
  var looseness = 0.008
  private var controls: [SongFile.Event]
  private var notes: [Note] = []
  private var random: RandomSource

  private struct Note {
    var key: UInt8
    var velocity: UInt8
    var start: Int
    var end: Int
  }

  /// - Parameters:
  ///   - channel: 0...15; 9 is the kit.
  ///   - program: 0...127.
  ///   - volume: Controller 7.
  ///   - pan: Controller 10: 0 left, 64 centre, 127 right.
  ///   - reverb: Controller 91.
  ///   - chorus: Controller 93.
  init(
    _ name: String, channel: UInt8, program: UInt8, volume: UInt8, pan: UInt8, reverb: UInt8 = 45,
    chorus: UInt8 = 0
  ) {
    self.name = name
    self.channel = channel
    random = RandomSource(name)
    controls = [SongFile.text(0x03, name)]
    // A little after the General MIDI reset at tick 0.
    let setup = 0.1
    send(setup, 0xc0, program)
    control(7, volume, at: setup)
    control(10, pan, at: setup)
    control(91, reverb, at: setup)
    control(93, chorus, at: setup)
    control(11, 124, at: setup)
  }

  /// One note, humanised.
  mutating func note(
    _ key: Int, at beat: Double, beats: Double, velocity: Double
  ) {
    let stray = looseness * max(-2, min(2, random.gaussian()))
    let level = max(1, min(127, velocity + 3.5 * random.gaussian()))
    notes.append(
      Note(
        key: UInt8(key), velocity: UInt8(level.rounded()), start: Self.tick(beat + stray),
        end: Self.tick(beat + stray + beats)))
  }

  /// The whole track. A key is let go before it is struck again, as on an instrument.
  var events: [SongFile.Event] {
    var played: [Note] = []
    var last: [UInt8: Int] = [:]
    for note in notes.sorted(by: { ($0.start, $0.key) < ($1.start, $1.key) }) {
      if let index = last[note.key], played[index].end >= note.start {
        // Two hands on one key are one stroke.
        if note.start - played[index].start < 20 {
          played[index].velocity = max(played[index].velocity, note.velocity)
          continue
        }
        played[index].end = note.start - 5
      }
      last[note.key] = played.count
      played.append(note)
    }
    return controls
      + played.flatMap {
        [
          SongFile.Event(tick: $0.start, bytes: [0x90 | channel, $0.key, $0.velocity]),
          SongFile.Event(tick: $0.end, bytes: [0x80 | channel, $0.key, 64]),
        ]
      }
  }

  /// A line of notes, each chord spread upwards by `strum` beats per string.
  ///
  /// - Parameters:
  ///   - touch: The part of its length a note is held; above 1 is legato.
  ///   - shape: Velocity to add, from the place in the line, 0...1.
  mutating func play(
    _ line: String, at beat: Double, velocity: Double, touch: Double = 0.95, strum: Double = 0,
    transpose: Int = 0, shape: (Double) -> Double = { _ in 0 }
  ) {
    let notation = Notation(line)
    for word in notation.words {
      for (string, key) in word.keys.enumerated() {
        let late = strum * Double(string)
        // The first beat of a bar weighs more.
        let place = word.start - 4 * (word.start / 4).rounded(.down)
        let accent = place == 0 ? 5.0 : place == 2 ? 2 : place == place.rounded() ? 0 : -3
        note(
          key + transpose, at: beat + word.start + late, beats: word.beats * touch - late,
          velocity: velocity + accent + shape(word.start / notation.beats))
      }
    }
  }

  mutating func control(_ number: UInt8, _ value: UInt8, at beat: Double) {
    send(beat, 0xb0, number, value)
  }

  /// A controller moved evenly, a step every tenth of a beat.
  mutating func fade(
    _ number: UInt8, from: Double, to: Double, at beat: Double, beats: Double
  ) {
    let steps = max(1, Int(beats * 10))
    for step in 0...steps {
      let x = Double(step) / Double(steps)
      control(number, UInt8((from + (to - from) * x).rounded()), at: beat + beats * x)
    }
  }

  /// Pitch bend from one number of semitones to another, ±2, as a finger pushes a string.
  mutating func bend(from: Double, to: Double, at beat: Double, beats: Double) {
    for step in 0...12 {
      let x = Double(step) / 12
      let eased = x * x * (3 - 2 * x)
      let value = Int(8_192 + (from + (to - from) * eased) / 2 * 8_191)
      send(beat + beats * x, 0xe0, UInt8(value & 0x7f), UInt8(value >> 7))
    }
  }

  /// The sustaining pedal, caught just after each change of harmony.
  mutating func pedal(from start: Double, to end: Double, every beats: Double) {
    for beat in stride(from: start, to: end, by: beats) {
      control(64, 127, at: beat + 0.08)
      control(64, 0, at: beat + beats - 0.02)
    }
  }

  private mutating func send(_ beat: Double, _ status: UInt8, _ data: UInt8...) {
    controls.append(.init(tick: Self.tick(beat), bytes: [status | channel] + data))
  }

  private static func tick(_ beat: Double) -> Int {
    Int((max(0, beat) * Double(SongFile.ticksPerBeat)).rounded())
  }
}
