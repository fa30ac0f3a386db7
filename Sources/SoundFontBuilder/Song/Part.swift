/// One player of the song: a channel, its instrument, and what is played on it.
///
/// Players are human. Each note is moved by a few milliseconds and a few steps of velocity, from a
/// source seeded with the player's name, so that every build plays alike.
struct Part {
  let name: String
  let channel: UInt8
  /// Beats by which notes stray; 0.01 beats are about 6 ms.
  var looseness = 0.008
  private(set) var events: [SongFile.Event]
  private var random: RandomSource

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
    events = [SongFile.text(0x03, name)]
    // A little after the General MIDI reset at tick 0.
    let setup = 0.1
    send(setup, 0xc0, program)
    control(7, volume, at: setup)
    control(10, pan, at: setup)
    control(91, reverb, at: setup)
    control(93, chorus, at: setup)
    control(11, 118, at: setup)
  }

  /// One note, humanised.
  mutating func note(
    _ key: Int, at beat: Double, beats: Double, velocity: Double, exact: Bool = false
  ) {
    let stray = exact ? 0 : looseness * max(-2, min(2, random.gaussian()))
    let level = max(1, min(127, velocity + 3.5 * random.gaussian()))
    send(beat + stray, 0x90, UInt8(key), UInt8(level.rounded()))
    send(beat + stray + beats, 0x80, UInt8(key), 64)
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
    let tick = Int((max(0, beat) * Double(SongFile.ticksPerBeat)).rounded())
    events.append(.init(tick: tick, bytes: [status | channel] + data))
  }
}
