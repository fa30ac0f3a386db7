/// The kit of the demo song: it whispers, then walks, then plays.
enum CanonDrums {
  private enum Key {
    static let kick = 36, stick = 37, snare = 38, closedHat = 42, openHat = 46, crash = 49
    static let ride = 51, tambourine = 54, shaker = 70, triangle = 81
    static let toms = [50, 47, 45, 41]
  }

  static func part() -> Part {
    var part = Part(
      "Drums", channel: 9, program: 0, volume: 127, pan: 64, reverb: 30)
    part.looseness = 0.005
    part.note(Key.triangle, at: CanonInD.start(1), beats: 1, velocity: 78)
    for n in 2..<CanonInD.cycles {
      for bar in 0..<4 {
        let beat = CanonInD.start(n) + 4 * Double(bar)
        let last = bar == 3
        if n == 2 { whisper(&part, beat) } else { groove(&part, beat, full: n >= 5, fill: last) }
        if last, n >= 3 { fill(&part, beat, big: n >= 4) }
      }
      if n >= 3 {
        part.note(Key.crash, at: CanonInD.start(n), beats: 1, velocity: n < 5 ? 88 : 104)
      }
    }
    let end = CanonInD.start(CanonInD.cycles)
    part.note(Key.crash, at: end, beats: 1, velocity: 108)
    part.note(Key.kick, at: end, beats: 1, velocity: 108)
    part.note(Key.triangle, at: end + 2, beats: 1, velocity: 84)
    return part
  }

  private static func whisper(_ part: inout Part, _ beat: Double) {
    for step in 0..<16 {
      let accent = step % 4 == 0 ? 16.0 : step % 2 == 0 ? 8 : 0
      part.note(Key.shaker, at: beat + 0.25 * Double(step), beats: 0.2, velocity: 58 + accent)
    }
    part.note(Key.kick, at: beat, beats: 0.5, velocity: 88)
    part.note(Key.stick, at: beat + 1, beats: 0.5, velocity: 74)
    part.note(Key.kick, at: beat + 2.5, beats: 0.5, velocity: 78)
    part.note(Key.stick, at: beat + 3, beats: 0.5, velocity: 78)
  }

  private static func groove(_ part: inout Part, _ beat: Double, full: Bool, fill: Bool) {
    let metal = full ? Key.ride : Key.closedHat
    for step in 0..<8 where !(fill && step >= 6) {
      let at = beat + 0.5 * Double(step)
      let open = !full && step == 7
      part.note(
        open ? Key.openHat : metal, at: at, beats: 0.3,
        velocity: (step % 2 == 0 ? 92 : 74) - (open ? 6 : 0))
      if full, step % 2 == 1 { part.note(Key.tambourine, at: at, beats: 0.3, velocity: 66) }
    }
    for (at, force) in [(0.0, 112.0), (1.75, 80), (2, 106), (2.5, 92)] {
      part.note(Key.kick, at: beat + at, beats: 0.4, velocity: force)
    }
    for at in [1.0, 3] {
      // A flam on the second backbeat: the grace note comes 25 ms before.
      if at == 3, full { part.note(Key.snare, at: beat + at - 0.04, beats: 0.1, velocity: 60) }
      part.note(Key.snare, at: beat + at, beats: 0.4, velocity: full ? 112 : 100)
    }
    for at in [0.75, 2.25] { part.note(Key.snare, at: beat + at, beats: 0.1, velocity: 38) }
  }

  private static func fill(_ part: inout Part, _ beat: Double, big: Bool) {
    if big {
      for (index, tom) in Key.toms.enumerated() {
        for half in 0..<2 {
          let at = beat + 3 + 0.25 * Double(index)
          part.note(
            tom, at: at + 0.125 * Double(half), beats: 0.2,
            velocity: 86 + 4 * Double(index) - (half == 1 ? 14 : 0))
        }
      }
    } else {
      for step in 0..<4 {
        part.note(
          Key.snare, at: beat + 3 + 0.25 * Double(step), beats: 0.2,
          velocity: 60 + 11 * Double(step)
        )
      }
    }
  }
}
