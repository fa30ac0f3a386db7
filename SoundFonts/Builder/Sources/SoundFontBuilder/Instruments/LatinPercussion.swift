/// The hand percussion of the kit, keys 54...81.
extension Drums {
  private static func strike(
    _ name: String, level: Double = 0, rate: Double = 30_000, length: Double,
    onset: Double = 0.0008,
    glide: (ratio: Double, time: Double)? = nil, _ modes: [Mode], _ noise: [NoiseBurst] = []
  ) -> Recording {
    DecayingTone(
      modes: modes, noise: noise, onset: onset, glide: glide, sampleRate: rate, length: length,
      loopLength: 0
    ).record(name, key: 60).scaled(to: commonLoudness + level)
  }

  private static func skin(
    _ name: String, hertz: Double, decay: Double, slap: Double, level: Double = 0
  ) -> Recording {
    strike(
      name, level: level, rate: 24_000, length: decay, glide: (1.12, 0.02),
      StruckBody.modes(
        StruckBody.skin, hertz: hertz, levels: [0, -8, -12, -14, -16, -18, -20, -22, -24],
        decay: decay, damping: 1.1),
      [
        NoiseBurst(band: 500...5_000, amplitude: slap, decay: 0.018),
        NoiseBurst(band: 200...1_200, amplitude: slap * 0.5, decay: 0.04),
      ])
  }

  static let bongo = skin("Bongo", hertz: 290, decay: 0.28, slap: 0.6)
  static let conga = skin("Conga", hertz: 178, decay: 0.5, slap: 0.35, level: 1)
  static let mutedConga = skin("Muted Conga", hertz: 225, decay: 0.11, slap: 0.9)

  /// A metal shell: the skin's modes and the shell's ring.
  static let timbale = strike(
    "Timbale", level: 1, rate: 26_000, length: 0.42, glide: (1.1, 0.02),
    StruckBody.modes(
      StruckBody.skin, hertz: 310, levels: [0, -4, -8, -10, -11, -13, -15, -17, -19], decay: 0.5,
      damping: 0.6)
      + StruckBody.modes(
        [1, 1.6, 2.3], hertz: 1_450, levels: [-16, -18, -20], decay: 0.35, damping: 0.3),
    [NoiseBurst(band: 1_000...9_000, amplitude: 0.6, decay: 0.02)])

  static let agogo = strike(
    "Agogo Bell", level: -3, length: 0.4,
    StruckBody.modes(
      [1, 1.51, 2.68, 3.55, 4.1, 5.9], hertz: 698.46, levels: [0, -6, -3, -8, -12, -16], decay: 0.5,
      damping: 0.4),
    [NoiseBurst(band: 2_000...9_000, amplitude: 0.25, decay: 0.01)])

  /// Two modes about a fifth apart, as every cowbell since the drum machines has had them.
  static let cowbell = strike(
    "Cowbell", level: -2, length: 0.32,
    [
      Mode(hertz: 562, amplitude: 1, decay: 0.3), Mode(hertz: 845, amplitude: 0.9, decay: 0.28),
      Mode(hertz: 1_530, amplitude: 0.35, decay: 0.16),
      Mode(hertz: 2_410, amplitude: 0.3, decay: 0.12),
      Mode(hertz: 3_720, amplitude: 0.2, decay: 0.08),
    ], [NoiseBurst(band: 1_500...8_000, amplitude: 0.4, decay: 0.012)])

  static let claves = strike(
    "Claves", level: -3, length: 0.14,
    [
      Mode(hertz: 2_480, amplitude: 1, decay: 0.09),
      Mode(hertz: 5_400, amplitude: 0.15, decay: 0.03),
    ], [NoiseBurst(band: 1_500...9_000, amplitude: 0.25, decay: 0.006)])

  static let woodBlock = strike(
    "Wood Block", level: -2, length: 0.16,
    [
      Mode(hertz: 523.25, amplitude: 1, decay: 0.1), Mode(hertz: 870, amplitude: 0.4, decay: 0.06),
      Mode(hertz: 1_390, amplitude: 0.5, decay: 0.05),
      Mode(hertz: 2_350, amplitude: 0.2, decay: 0.03),
    ], [NoiseBurst(band: 800...6_000, amplitude: 0.5, decay: 0.008)])

  static let triangle = DecayingTone(
    modes: StruckBody.modes(
      [1, 2.756, 3.9, 5.404, 6.7, 7.3], hertz: 1_320, levels: [-12, -6, -2, 0, -4, -6], decay: 3,
      damping: 0.2), noise: [NoiseBurst(band: 4_000...14_000, amplitude: 0.2, decay: 0.01)],
    beating: 0.35, sampleRate: 32_000, length: 0.3, loopLength: 4_096
  ).record("Triangle", key: 60).scaled(to: commonLoudness - 5)

  /// Jingles fall in after the hand, each a little later.
  static let tambourine = strike(
    "Tambourine", level: -3, rate: 32_000, length: 0.28,
    StruckBody.plate(
      4_500...14_500, count: 40, decay: { _ in 0.24 }, shape: Spectrum.band(5_500, 12_000, 0.2),
      seed: "Tambourine"),
    [
      NoiseBurst(band: 5_000...15_000, amplitude: 1, decay: 0.1),
      NoiseBurst(band: 5_000...15_000, amplitude: 0.7, decay: 0.16, delay: 0.035),
      NoiseBurst(band: 400...2_000, amplitude: 0.5, decay: 0.03),
    ])

  static let cabasa = strike(
    "Cabasa", level: -5, rate: 32_000, length: 0.12, [],
    [
      NoiseBurst(band: 3_500...13_000, amplitude: 0.6, decay: 0.08, attack: 0.02),
      NoiseBurst(band: 5_000...14_000, amplitude: 1, decay: 0.04, delay: 0.03, attack: 0.003),
    ])

  static let maracas = strike(
    "Maracas", level: -6, rate: 32_000, length: 0.09, [],
    [NoiseBurst(band: 4_500...13_500, amplitude: 1, decay: 0.06, attack: 0.012)])

  /// The jaw's teeth rattle, slower and slower.
  static let vibraslap = strike(
    "Vibraslap", level: -3, rate: 16_000, length: 0.65, [],
    (0..<26).map { index in
      let time = Double(index) * 0.024 + Double(index * index) * 0.00012
      return NoiseBurst(
        band: 1_700...3_600, amplitude: Mathematics.exp(-time * 4.5), decay: 0.022, delay: time)
    })

  private static func guiro(_ name: String, _ strokes: [Double]) -> Recording {
    strike(
      name, level: -3, rate: 22_000, length: strokes[strokes.count - 1] + 0.05, [],
      strokes.enumerated().map { index, time in
        let x = Double(index) / Double(strokes.count)
        return NoiseBurst(
          band: 1_800 + 600 * x...5_200 + 1_500 * x, amplitude: 0.5 + 0.5 * x, decay: 0.014,
          delay: time)
      })
  }

  static let shortGuiro = guiro("Short Guiro", (0..<14).map { Double($0) * 0.0085 })
  static let longGuiro = guiro(
    "Long Guiro", (0..<26).map { Double($0) * 0.014 } + (0..<12).map { 0.38 + Double($0) * 0.009 })

  /// A pea in a whistle: two nearby tones, warbling.
  private static func samba(_ name: String, seconds: Double) -> Recording {
    let rate = 22_000.0
    let count = Int(seconds * rate)
    var random = RandomSource(name)
    var phase = 0.0
    var frames: [Double] = []
    for index in 0..<count {
      let time = Double(index) / rate
      let warble = Mathematics.sin(Mathematics.twoPi * 38 * time)
      phase += (2_330 + 60 * warble) / rate
      phase -= phase.rounded(.down)
      let edge = min(1, min(time / 0.012, (seconds - time) / 0.02))
      let tone = Mathematics.sin(Mathematics.twoPi * phase) * (0.75 + 0.25 * warble)
      frames.append((tone + 0.08 * random.bipolar()) * edge)
    }
    return Recording(name: name, frames: frames, loop: nil, sampleRate: Int(rate), key: 60)
      .scaled(to: commonLoudness - 7)
  }

  static let shortWhistle = samba("Short Whistle", seconds: 0.16)
  static let longWhistle = samba("Long Whistle", seconds: 0.36)

  /// A rubbed stick inside the drum: a voice that slides.
  private static func cuica(_ name: String, _ from: Double, _ to: Double, _ seconds: Double)
    -> Recording
  {
    let rate = 20_000.0
    let count = Int(seconds * rate)
    var phase = 0.0
    var frames: [Double] = []
    for index in 0..<count {
      let x = Double(index) / Double(count)
      phase += (from + (to - from) * x) / rate
      phase -= phase.rounded(.down)
      let level = Mathematics.sin(Mathematics.pi * Mathematics.pow(x + 1e-9, 0.6))
      var sum = 0.0
      for n in 1...6 {
        sum += Spectrum.falling(n, 1.4) * Mathematics.sin(Mathematics.twoPi * phase * Double(n))
      }
      frames.append(sum * level)
    }
    return Recording(name: name, frames: frames, loop: nil, sampleRate: Int(rate), key: 60)
      .scaled(to: commonLoudness - 6)
  }

  static let mutedCuica = cuica("Muted Cuica", 560, 720, 0.12)
  static let openCuica = cuica("Open Cuica", 420, 690, 0.28)
}
