/// Programs 120...127: noises.
enum SoundEffects {
  static let programs: [Program] = [
    Program("Fret Noise", fret, Articulation(release: 0.2, softness: 600)),
    Program("Breath Noise", breath, Articulation(attack: 0.02, release: 0.3, softness: 1_200)),
    Program(
      "Seashore", seashore, Articulation(attack: 0.4, release: 1.8, softness: 800, reverb: 0.2)),
    Program("Birds", birds, Articulation(release: 0.2, softness: 600, reverb: 0.25)),
    Program("Telephone", telephone, Articulation(attack: 0.005, release: 0.1, softness: 0)),
    Program("Helicopter", helicopter, Articulation(attack: 0.3, release: 0.8, softness: 800)),
    Program(
      "Applause", applause, Articulation(attack: 0.25, release: 1.5, softness: 800, reverb: 0.2)),
    Program("Gunshot", gunshot, Articulation(release: 1.5, softness: 600, reverb: 0.3)),
  ]

  /// Noise that repeats after one loop, from its spectrum.
  private static func noise(
    _ name: String, rate: Double, length: Int, _ density: (Double) -> Double
  ) -> [Double] {
    var random = RandomSource(name)
    var spectrum = LoopSpectrum(length: length)
    for bin in 1..<length / 2 {
      let hertz = Double(bin) * rate / Double(length)
      spectrum.add(bin: bin, amplitude: density(hertz), phase: random.phase())
    }
    return spectrum.waveform()
  }

  /// A whole loop as a recording: its end leads in, so that it may start anywhere.
  private static func looped(_ name: String, _ wave: [Double], rate: Int, level: Double = -3)
    -> Recording
  {
    let lead = 64
    return Recording(
      name: name,
      frames: Array(wave.suffix(lead)) + wave + Array(wave.prefix(Recording.margin)),
      loop: lead..<lead + wave.count, sampleRate: rate, key: 60
    ).scaled(to: commonLoudness + level)
  }

  /// A finger sliding on a wound string: noise under a resonance that rises and falls.
  static let fret: [Recording] = [
    {
      var random = RandomSource("Fret Noise")
      let rate = 22_000
      var frames: [Double] = []
      let count = rate * 3 / 10
      var (low, band) = (0.0, 0.0)
      for index in 0..<count {
        let x = Double(index) / Double(count)
        let hertz = 1_600 + 1_500 * Mathematics.sin(Mathematics.pi * x)
        let f = 2 * Mathematics.sin(Mathematics.pi * hertz / Double(rate))
        // A state-variable filter (Chamberlin, 1980), because its frequency may move.
        low += f * band
        band += f * (random.bipolar() - low - 0.25 * band)
        frames.append(band * Mathematics.sin(Mathematics.pi * x))
      }
      return Recording(name: "Fret Noise", frames: frames, loop: nil, sampleRate: rate, key: 60)
        .scaled(to: commonLoudness - 4)
    }()
  ]

  static let breath: [Recording] = [
    looped(
      "Breath Noise",
      noise(
        "Breath", rate: 18_000, length: 8_192,
        Spectrum.resonances([(900, 700, 0), (2_400, 1_200, 0)], floor: -14)), rate: 18_000)
  ]

  /// Two waves a loop, of surf that is brighter where it breaks.
  static let seashore: [Recording] = [
    {
      let (rate, length) = (8_000, 32_768)
      let deep = noise("Sea", rate: Double(rate), length: length, Spectrum.band(60, 500, 1))
      let foam = noise("Foam", rate: Double(rate), length: length, Spectrum.band(500, 3_800, 0.5))
      let wave = (0..<length).map { index in
        let turn = Double(index) / Double(length)
        let swell = 0.5 - 0.5 * Mathematics.cos(Mathematics.twoPi * turn)
        let late = 0.5 - 0.5 * Mathematics.cos(Mathematics.twoPi * (turn - 0.08))
        return deep[index] * (0.6 + 0.4 * swell) + foam[index] * (0.35 + late * late)
      }
      return looped("Seashore", wave, rate: rate, level: 0)
    }()
  ]

  /// A chirp and an answer: whistles whose pitch runs through an arc.
  static let birds: [Recording] = [
    {
      let (rate, length) = (16_000, 13_600)
      var frames = [Double](repeating: 0, count: length)
      let calls: [(start: Double, length: Double, from: Double, to: Double)] = [
        (0.02, 0.09, 3_200, 4_600), (0.14, 0.07, 4_800, 3_600), (0.23, 0.07, 4_700, 3_500),
        (0.32, 0.12, 3_000, 5_200), (0.62, 0.06, 4_000, 4_900), (0.70, 0.06, 4_100, 5_000),
      ]
      for call in calls {
        var phase = 0.0
        let count = Int(call.length * Double(rate))
        for index in 0..<count {
          let x = Double(index) / Double(count)
          let warble = 120 * Mathematics.sin(Mathematics.twoPi * 45 * x * call.length)
          phase += (call.from + (call.to - call.from) * x + warble) / Double(rate)
          let level = Mathematics.sin(Mathematics.pi * x)
          frames[Int(call.start * Double(rate)) + index] +=
            level * level * Mathematics.sin(Mathematics.twoPi * (phase - phase.rounded(.down)))
        }
      }
      return looped("Birds", frames, rate: rate)
    }()
  ]

  /// Two gongs struck twenty times a second by one clapper, as long as the loop is short.
  static let telephone: [Recording] = [
    {
      let (rate, length) = (24_000, 4_800)
      var frames = [Double](repeating: 0, count: length)
      for (stroke, hertz) in [(0, 1_450.0), (1, 1_720), (2, 1_450), (3, 1_720)] {
        for (ratio, level) in [(1.0, 1.0), (2.42, 0.5), (3.9, 0.25)] {
          for index in 0..<length {
            // Each stroke rings on round the loop until the next lap has buried it.
            let since = (index - stroke * length / 4 + length) % length
            let time = Double(since) / Double(rate)
            frames[index] +=
              level * Mathematics.exp(-time * 22)
              * Mathematics.sin(
                Mathematics.twoPi * hertz * ratio * time)
          }
        }
      }
      return looped("Telephone", frames, rate: rate)
    }()
  ]

  /// Blades beat the air eleven times a second over a turbine's hiss.
  static let helicopter: [Recording] = [
    {
      let (rate, length) = (10_000, 8_192)
      let air = noise("Rotor", rate: Double(rate), length: length, Spectrum.band(50, 700, 1))
      let hiss = noise(
        "Turbine", rate: Double(rate), length: length, Spectrum.band(1_500, 4_500, 0.1))
      let wave = (0..<length).map { index in
        let turn = Double(index) * 9 / Double(length)
        let x = turn - turn.rounded(.down)
        let slap = Mathematics.exp(-x * 9) * (1 - Mathematics.exp(-x * 60))
        return air[index] * (0.12 + 1.6 * slap) + hiss[index] * (0.5 + slap)
      }
      return looped("Helicopter", wave, rate: rate)
    }()
  ]

  /// Several hundred pairs of hands a loop, no two alike.
  static let applause: [Recording] = [
    {
      let (rate, length) = (16_000, 16_384)
      var random = RandomSource("Applause")
      var frames = [Double](repeating: 0, count: length)
      for _ in 0..<260 {
        let start = Int(random.unit() * Double(length))
        let level = 0.3 + random.unit() * random.unit()
        var hands = Filter.bandPass(900 + 1_400 * random.unit(), rate: Double(rate), q: 1.6)
        for index in 0..<500 {
          let blow = random.bipolar() * Mathematics.exp(-Double(index) / 90)
          frames[(start + index) % length] += level * hands.process(blow)
        }
      }
      return looped("Applause", frames, rate: rate)
    }()
  ]

  static let gunshot = recordings("Gunshot", [60], level: 4) { name, key in
    DecayingTone(
      modes: [
        Mode(hertz: 70, amplitude: 1.4, decay: 0.25), Mode(hertz: 118, amplitude: 0.8, decay: 0.2),
      ],
      noise: [
        NoiseBurst(band: 300...9_500, amplitude: 3, decay: 0.07, attack: 0.0002),
        NoiseBurst(band: 80...2_500, amplitude: 1.6, decay: 0.4),
        NoiseBurst(band: 100...900, amplitude: 0.5, decay: 1.4, delay: 0.05, attack: 0.04),
      ], onset: 0.0005, glide: (2, 0.02), sampleRate: 20_000, length: 0.7, loopLength: 0
    ).record(name, key: key)
  }
}
