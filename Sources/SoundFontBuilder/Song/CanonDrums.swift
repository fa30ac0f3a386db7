/// The kit of the demo song: it whispers, then walks, then plays.
enum CanonDrums {
  private enum Key {
    static let kick = 36, stick = 37, snare = 38, closedHat = 42, openHat = 46, crash = 49
    static let ride = 51, tambourine = 54, shaker = 70, triangle = 81
    static let toms = [50, 47, 45, 41]
  }

  static func part() -> Part {
    var part = Part(
      "Drums", channel: 9, program: 0, volume: 116, pan: 64, reverb: 30)
    part.looseness = 0.005
    part.note(Key.triangle, at: CanonInD.start(1), beats: 1, velocity: 58)
    for n in 2..<CanonInD.cycles {
      for bar in 0..<4 {
        let beat = CanonInD.start(n) + 4 * Double(bar)
        let last = bar == 3
        if n == 2 { whisper(&part, beat) } else { groove(&part, beat, full: n >= 5, fill: last) }
        if last, n >= 3 { fill(&part, beat, big: n >= 4) }
      }
      if n >= 3 { part.note(Key.crash, at: CanonInD.start(n), beats: 1, velocity: n < 5 ? 72 : 88) }
    }
    let end = CanonInD.start(CanonInD.cycles)
    part.note(Key.crash, at: end, beats: 1, velocity: 92)
    part.note(Key.kick, at: end, beats: 1, velocity: 92)
    part.note(Key.triangle, at: end + 2, beats: 1, velocity: 66)
    return part
  }

  private static func whisper(_ part: inout Part, _ beat: Double) {
    for step in 0..<16 {
      let accent = step % 4 == 0 ? 16.0 : step % 2 == 0 ? 8 : 0
      part.note(Key.shaker, at: beat + 0.25 * Double(step), beats: 0.2, velocity: 50 + accent)
    }
    part.note(Key.kick, at: beat, beats: 0.5, velocity: 66)
    part.note(Key.stick, at: beat + 1, beats: 0.5, velocity: 56)
    part.note(Key.kick, at: beat + 2.5, beats: 0.5, velocity: 58)
    part.note(Key.stick, at: beat + 3, beats: 0.5, velocity: 60)
  }

  private static func groove(_ part: inout Part, _ beat: Double, full: Bool, fill: Bool) {
    let metal = full ? Key.ride : Key.closedHat
    for step in 0..<8 where !(fill && step >= 6) {
      let at = beat + 0.5 * Double(step)
      let open = !full && step == 7
      part.note(
        open ? Key.openHat : metal, at: at, beats: 0.3,
        velocity: (step % 2 == 0 ? 74 : 58) - (open ? 6 : 0))
      if full, step % 2 == 1 { part.note(Key.tambourine, at: at, beats: 0.3, velocity: 52) }
    }
    for (at, force) in [(0.0, 92.0), (1.75, 62), (2, 86), (2.5, 74)] {
      part.note(Key.kick, at: beat + at, beats: 0.4, velocity: force)
    }
    for at in [1.0, 3] {
      // A flam on the second backbeat: the grace note comes 25 ms before.
      if at == 3, full { part.note(Key.snare, at: beat + at - 0.04, beats: 0.1, velocity: 44) }
      part.note(Key.snare, at: beat + at, beats: 0.4, velocity: full ? 92 : 82)
    }
    for at in [0.75, 2.25] { part.note(Key.snare, at: beat + at, beats: 0.1, velocity: 26) }
  }

  private static func fill(_ part: inout Part, _ beat: Double, big: Bool) {
    if big {
      for (index, tom) in Key.toms.enumerated() {
        for half in 0..<2 {
          let at = beat + 3 + 0.25 * Double(index)
          part.note(
            tom, at: at + 0.125 * Double(half), beats: 0.2,
            velocity: 70 + 4 * Double(index) - (half == 1 ? 14 : 0))
        }
      }
    } else {
      for step in 0..<4 {
        part.note(
          Key.snare, at: beat + 3 + 0.25 * Double(step), beats: 0.2, velocity: 46 + 9 * Double(step)
        )
      }
    }
  }
}
