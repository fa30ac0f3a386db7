/// Programs 112...119: drums and bells that play a tune.
enum Percussive {
  static let programs: [Program] = [
    Program("Tinkle Bell", tinkle, Articulation(release: 1.5, softness: 1_200, reverb: 0.25)),
    Program(
      "Agogo", Drums.agogo.tuned(to: 65), Articulation(release: 0.6, softness: 1_200, reverb: 0.12)),
    Program("Steel Drums", steel, Articulation(release: 0.5, softness: 2_400, reverb: 0.18)),
    Program(
      "Woodblock", Drums.woodBlock.tuned(to: 60),
      Articulation(release: 0.5, softness: 1_500, reverb: 0.12)),
    Program("Taiko", taiko, Articulation(release: 1.0, softness: 1_800, reverb: 0.25)),
    Program(
      "Melodic Tom", Drums.midTom.tuned(to: 45),
      Articulation(release: 0.8, softness: 1_800, reverb: 0.15)),
    Program("Synth Drum", synthetic, Articulation(release: 0.8, softness: 1_200, reverb: 0.1)),
    Program("Reverse Cymbal", reverse, Articulation(release: 0.3, softness: 600, reverb: 0.2)),
  ]

  static let tinkle = recordings("Tinkle Bell", [79]) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        [1, 2.0, 2.4, 3.01, 4.1, 5.43], hertz: Mathematics.frequency(key: key),
        levels: [0, -3, -9, -8, -14, -18], decay: 2.4, damping: 0.6), beating: 0.2,
      sampleRate: 34_000, length: 0.3, loopLength: 4_096
    ).record(name, key: key)
  }

  /// The octave and the twelfth are hammered into the pan beside the note, and answer it late.
  static let steel = recordings("Steel Drum", [60, 74]) { name, key in
    let f0 = Mathematics.frequency(key: key)
    let levels: [Double] = [0, 0, -6, -7, -14, -16, -22, -24]
    return DecayingTone(
      modes: StruckBody.modes(
        [1, 2, 3, 4, 5.02, 6.1, 7.1, 8.2], hertz: f0, levels: levels, decay: 1.0, damping: 0.5),
      noise: [NoiseBurst(band: 400...3_500, amplitude: 0.2, decay: 0.02)], onset: 0.004,
      beating: 0.3, sampleRate: 24_000, length: 0.34, loopLength: 2_048
    ).record(name, key: key)
  }

  static let taiko = recordings("Taiko", [45], level: 2) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        StruckBody.skin, hertz: Mathematics.frequency(key: key),
        levels: [0, -8, -14, -18, -20, -24, -26, -28, -30], decay: 1.2, damping: 1.1),
      noise: [
        NoiseBurst(band: 80...500, amplitude: 0.7, decay: 0.1),
        NoiseBurst(band: 1_000...4_000, amplitude: 0.25, decay: 0.03),
      ], onset: 0.002, glide: (1.12, 0.05), sampleRate: 15_000, length: 0.9, loopLength: 0
    ).record(name, key: key)
  }

  static let synthetic = recordings("Synth Drum", [50], level: 1) { name, key in
    DecayingTone(
      modes: [
        Mode(hertz: Mathematics.frequency(key: key), amplitude: 1, decay: 0.7),
        Mode(hertz: Mathematics.frequency(key: key) * 2, amplitude: 0.15, decay: 0.3),
      ], noise: [NoiseBurst(band: 500...6_000, amplitude: 0.3, decay: 0.05)],
      glide: (2.6, 0.1), sampleRate: 20_000, length: 0.6, loopLength: 0
    ).record(name, key: key)
  }

  static let reverse: [Recording] = [Drums.crash].map { crash in
    var copy = crash
    copy.name = "Reverse Cymbal"
    copy.key = 60
    copy.loop = nil
    copy.decay = nil
    // The crash fades while it rings; turned round, it swells.
    let count = Int(0.6 * Double(crash.sampleRate))
    let perFrame = Mathematics.exp(-6.907755 / (0.8 * Double(crash.sampleRate)))
    var level = 1.0
    var frames: [Double] = []
    for index in 0..<count {
      frames.append(crash.frame(at: index) * level)
      level *= perFrame
    }
    for index in 0..<64 { frames[index] *= Double(index) / 64 }
    copy.frames = frames.reversed()
    return copy
  }
}
