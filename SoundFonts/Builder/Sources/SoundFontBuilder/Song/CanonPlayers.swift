/// Who plays the canon, and what each does with it.
extension CanonInD {
  static func parts() -> [Part] {
    [
      bass(), harp(), piano(), guitar(), strings(), flute(), violin(), horn(), vibraphone(),
      lead(), choir(), timpani(), CanonDrums.part(),
    ]
  }

  private static func bass() -> Part {
    var part = Part("Bass", channel: 0, program: 32, volume: 122, pan: 64, reverb: 20)
    part.play(ground, at: start(0), velocity: 93, touch: 0.9)
    part.play(ground, at: start(1), velocity: 97, touch: 0.9)
    let steps =
      "D3/1.5 D3/0.5 A2/1.5 A2/0.5 B2/1.5 B2/0.5 F#2/1.5 F#2/0.5 "
      + "G2/1.5 G2/0.5 D2/1 F#2 G2/1.5 G2/0.5 A2/1 C#3"
    for n in 2..<cycles { part.play(steps, at: start(n), velocity: n < 4 ? 98 : 106, touch: 0.88) }
    part.play("D2+D3/5", at: start(cycles), velocity: 103)
    return part
  }

  private static func harp() -> Part {
    var part = Part("Harp", channel: 1, program: 46, volume: 114, pan: 40, reverb: 60)
    let arpeggio = """
      D3/0.5 A3 D4 F#4 A2 E3 A3 C#4 B2 F#3 B3 D4 F#2 C#3 F#3 A3 \
      G2 D3 G3 B3 D3 A3 D4 F#4 G2 D3 G3 B3 A2 E3 A3 C#4
      """
    for n in [0, 1] {
      part.play(arpeggio, at: start(n), velocity: n == 0 ? 90 : 80, touch: 1.9, transpose: 12) {
        8 * $0
      }
    }
    // A sweep into the drums' entry and one into the end.
    let sweep = ["A3", "B3", "C#4", "D4", "E4", "F#4", "G4", "A4", "B4", "C#5", "D5", "E5", "F#5"]
    for (beat, velocity) in [(start(3), 66.0), (start(cycles), 74)] {
      for (index, pitch) in sweep.enumerated() {
        part.note(
          Notation.key(Substring(pitch)), at: beat - 0.9 + 0.07 * Double(index), beats: 2,
          velocity: velocity + Double(index))
      }
    }
    part.play("D3+A3+D4+F#4+A4+D5/5", at: start(cycles), velocity: 79, strum: 0.06)
    return part
  }

  private static func piano() -> Part {
    var part = Part("Piano", channel: 2, program: 0, volume: 124, pan: 74, reverb: 40)
    part.pedal(from: start(2), to: start(cycles), every: 2)
    for n in 2..<cycles {
      part.play(chords, at: start(n), velocity: n < 4 ? 72 : 80, touch: 0.98, strum: 0.012)
    }
    part.play(walking, at: start(3), velocity: 109, touch: 1.0)
    part.play(walking, at: start(3), velocity: 97, touch: 1.0, transpose: 12)
    part.play(walking, at: start(5), velocity: 89, touch: 0.9, transpose: 12)
    part.control(64, 127, at: start(cycles) + 0.05)
    part.play("D3+A3+D4+F#4+A4/5", at: start(cycles), velocity: 89, strum: 0.025)
    part.control(64, 0, at: start(cycles) + 5.5)
    return part
  }

  /// Strums: down on the beat, up between, lighter and from the top string.
  private static func guitar() -> Part {
    var part = Part("Guitar", channel: 3, program: 25, volume: 94, pan: 98, reverb: 35, chorus: 20)
    let shapes = [
      [50, 57, 62, 66], [45, 52, 57, 61, 64], [47, 54, 59, 62, 66], [54, 57, 61, 66],
      [43, 50, 55, 59, 67], [50, 57, 62, 66], [43, 50, 55, 59, 67], [45, 52, 57, 61, 64],
    ]
    for n in 1..<cycles {
      for (index, shape) in shapes.enumerated() {
        let beat = start(n) + 2 * Double(index)
        if n < 3 {
          for (step, string) in [0, 2, 1, 3].enumerated() {
            part.note(
              shape[string], at: beat + 0.5 * Double(step), beats: 1.2,
              velocity: 76 + (step == 0 ? 8 : 0))
          }
          continue
        }
        for (offset, down, force) in [
          (0.0, true, 92.0), (1, true, 80), (1.5, false, 72), (1.75, true, 62),
        ] {
          let strings = down ? shape : Array(shape.reversed().prefix(3))
          for (order, key) in strings.enumerated() {
            part.note(
              key, at: beat + offset + 0.018 * Double(order), beats: 0.45,
              velocity: force - 2 * Double(order))
          }
        }
      }
    }
    for (order, key) in [38, 50, 57, 62, 66].enumerated() {
      part.note(key, at: start(cycles) + 0.035 * Double(order), beats: 5, velocity: 91)
    }
    return part
  }

  private static func strings() -> Part {
    var part = Part("Strings", channel: 4, program: 48, volume: 102, pan: 52, reverb: 70)
    part.fade(11, from: 48, to: 106, at: start(0), beats: 15)
    part.play(chords, at: start(0) + 8, velocity: 79, touch: 1.02)
    for n in 1..<cycles {
      let swell = n < 3 ? 106.0 : n == 3 ? 98 : 114
      for half in [0.0, 8] {
        part.fade(11, from: swell - 22, to: swell, at: start(n) + half, beats: 4)
        part.fade(11, from: swell, to: swell - 22, at: start(n) + half + 4, beats: 4)
      }
      part.play(chords, at: start(n), velocity: n < 3 ? 76 : 88, touch: 1.02)
      if n == 2 { part.play(second, at: start(n), velocity: 99, touch: 1.02) }
      if n >= 5 { part.play(theme, at: start(n), velocity: 103, touch: 1.02) }
    }
    part.fade(11, from: 99, to: 127, at: start(cycles), beats: 1.5)
    part.play("D3+A3+D4+F#4+A4+D5/5", at: start(cycles), velocity: 99)
    part.fade(11, from: 127, to: 58, at: start(cycles) + 2, beats: 3)
    return part
  }

  private static func flute() -> Part {
    var part = Part("Flute", channel: 5, program: 73, volume: 122, pan: 56, reverb: 62)
    for bar in 0..<8 {
      let beat = start(1) + 2 * Double(bar)
      part.fade(11, from: 103, to: 127, at: beat, beats: 1)
      part.fade(1, from: 0, to: 38, at: beat + 0.6, beats: 0.9)
      part.control(1, 0, at: beat + 1.95)
    }
    part.play(theme, at: start(1), velocity: 97, touch: 0.97)
    // A grace note before the third and the last of the theme.
    part.note(Notation.key("E5"), at: start(1) + 3.92, beats: 0.08, velocity: 79)
    part.note(Notation.key("D5"), at: start(1) + 13.92, beats: 0.08, velocity: 79)
    part.control(11, 127, at: start(4) - 0.1)
    part.play(running, at: start(4), velocity: 103, touch: 0.9) { 6 * $0 }
    part.play(theme, at: start(5), velocity: 89, touch: 0.97, transpose: 12)
    part.play(running, at: start(6), velocity: 105, touch: 0.9) { 8 * $0 }
    part.play("D6/4", at: start(cycles), velocity: 101)
    part.fade(11, from: 127, to: 69, at: start(cycles) + 2, beats: 2)
    return part
  }

  private static func violin() -> Part {
    var part = Part("Violin", channel: 6, program: 40, volume: 125, pan: 36, reverb: 62)
    part.play(theme, at: start(2), velocity: 97, touch: 0.99)
    part.play(second, at: start(3), velocity: 95, touch: 0.99, transpose: 12)
    // The canon: the violin answers with what the flute played one time through before.
    part.play(second, at: start(4), velocity: 93, touch: 0.99, transpose: 12)
    part.play(running, at: start(5), velocity: 112, touch: 0.92) { 6 * $0 }
    part.play("F#5+A5/4", at: start(cycles), velocity: 99)
    for n in 2..<cycles {
      part.fade(11, from: 101, to: 127, at: start(n), beats: 6)
      part.fade(11, from: 127, to: 111, at: start(n) + 8, beats: 6)
    }
    part.fade(11, from: 122, to: 64, at: start(cycles) + 2, beats: 2)
    return part
  }

  private static func horn() -> Part {
    var part = Part("Horn", channel: 7, program: 60, volume: 102, pan: 80, reverb: 70)
    for n in [4, 5, 6] {
      part.fade(11, from: 90, to: 127, at: start(n), beats: 12)
      part.play(
        "A3/2 A3 F#3 A3 G3 A3 B3 A3", at: start(n), velocity: n == 4 ? 80 : 90, touch: 1.0)
    }
    part.play("F#3+A3/4.5", at: start(cycles), velocity: 93)
    part.fade(11, from: 127, to: 69, at: start(cycles) + 2, beats: 2.5)
    return part
  }

  private static func vibraphone() -> Part {
    var part = Part(
      "Vibraphone", channel: 8, program: 11, volume: 120, pan: 88, reverb: 60, chorus: 20)
    part.play("r/8 B5/2 A5 B5 C#6", at: start(0), velocity: 77, touch: 1.1)
    for n in [2, 3] {
      part.play(
        "r/1 F#5+A5/1 r E5+A5 r D5+F#5 r C#5+F#5 r B4+D5 r A4+D5 r B4+D5 r C#5+E5",
        at: start(n), velocity: 75, touch: 1.2, strum: 0.02)
    }
    part.fade(10, from: 88, to: 30, at: start(3), beats: 15)
    return part
  }

  /// A guitar solo with pushed strings.
  private static func lead() -> Part {
    var part = Part(
      "Lead Guitar", channel: 10, program: 26, volume: 127, pan: 48, reverb: 48, chorus: 25)
    let line = """
      E5/1.5 D5/0.5 E5/1 C#5/0.5 A4 B4 D5 F#5/1 A5/0.75 F#5/0.25 C#5/1 \
      B4/0.5 D5 F#5/1 F#5/0.5 E5/0.25 D5 A4/1 B4/0.5 D5 E5 D5 C#5 E5 A5/1
      """
    part.play(line, at: start(6), velocity: 112, touch: 0.96)
    // E up to F sharp at the start; F sharp up to G over the chord of G.
    for (beat, rise, hold) in [(0.0, 2.0, 1.43), (9, 1, 0.93)] {
      part.bend(from: 0, to: rise, at: start(6) + beat + 0.06, beats: 0.22)
      part.bend(from: 0, to: 0, at: start(6) + beat + hold + 0.06, beats: 0.01)
    }
    part.fade(1, from: 0, to: 60, at: start(6) + 15.2, beats: 0.6)
    part.control(1, 0, at: start(cycles))
    part.play("F#5/4", at: start(cycles), velocity: 93)
    return part
  }

  private static func choir() -> Part {
    var part = Part("Choir", channel: 11, program: 52, volume: 88, pan: 64, reverb: 80)
    for n in [5, 6] { part.play(chords, at: start(n), velocity: 87, touch: 1.02, transpose: 12) }
    part.fade(11, from: 80, to: 127, at: start(5), beats: 14)
    part.play("F#4+A4+D5/4.5", at: start(cycles), velocity: 91)
    part.fade(11, from: 127, to: 58, at: start(cycles) + 2, beats: 2.5)
    return part
  }

  private static func timpani() -> Part {
    var part = Part("Timpani", channel: 12, program: 47, volume: 110, pan: 70, reverb: 70)
    for step in 0..<16 {
      part.note(
        45, at: start(cycles) - 2 + 0.125 * Double(step), beats: 0.2,
        velocity: 50 + 3 * Double(step))
    }
    part.note(38, at: start(cycles), beats: 3, velocity: 112)
    part.note(38, at: start(5), beats: 2, velocity: 97)
    return part
  }
}
