/// Programs 72...79: air over an edge.
enum Pipes {
  static let programs: [Program] = [
    Program("Piccolo", piccolo, blown(vibrato: 8, swell: 1)),
    Program("Flute", flute, blown(vibrato: 8, swell: 1.6)),
    Program("Recorder", recorder, blown(vibrato: 4, swell: 0.6)),
    Program("Pan Flute", panFlute, blown(vibrato: 7, swell: 1.2)),
    Program("Blown Bottle", bottle, blown(vibrato: 4, swell: 1)),
    Program(
      "Shakuhachi", shakuhachi,
      Articulation(
        attack: 0.02, release: 0.2, softness: 1_800,
        vibrato: .init(depth: 16, hertz: 4.7, delay: 0.35),
        tremolo: .init(depth: 2, hertz: 4.7, delay: 0.3), scoop: (cents: -70, time: 0.14),
        reverb: 0.28)),
    Program("Whistle", whistle, blown(vibrato: 12, swell: 0.5)),
    Program("Ocarina", ocarina, blown(vibrato: 7, swell: 0.8)),
  ]

  private static func blown(vibrato: Double, swell: Double) -> Articulation {
    Articulation(
      attack: 0.01, release: 0.18, softness: 1_500,
      vibrato: .init(depth: vibrato, hertz: 5.1, delay: 0.3),
      tremolo: .init(depth: swell, hertz: 5.1, delay: 0.25), scoop: (cents: -16, time: 0.05),
      reverb: 0.24)
  }

  /// - Parameters:
  ///   - levels: Decibels of the first harmonics.
  ///   - breath: Amplitude of the air, in a band about the fundamental and up.
  private static func pipe(
    _ name: String, _ keys: [Int], _ levels: [Double], breath: Double, chiff: Double,
    attack: Double = 0.05, rate: Double = 26_000, darker: Double = 3, reference: Int = 66
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      let f0 = Mathematics.frequency(key: key)
      // High notes have fewer harmonics: each octave takes `darker` dB from each.
      let octaves = Double(key - reference) / 12
      return SteadyTone(
        level: { number, _ in
          guard number <= levels.count else { return 0 }
          return Mathematics.amplitude(
            decibels: levels[number - 1] - darker * octaves * Double(number - 1))
        }, spread: 2, breath: Spectrum.band(f0 * 0.8, max(3_500, f0 * 4), breath), attack: attack,
        brightening: 1.5, chiff: chiff, sampleRate: rate, loopLength: 4_096
      ).record(name, key: key)
    }
  }

  static let piccolo = pipe(
    "Piccolo", [82], [0, -10, -20, -28, -38], breath: 0.008, chiff: 4, rate: 32_000)
  static let flute = pipe(
    "Flute", [63, 75, 88], [0, -1, -8, -12, -20, -24, -30, -36], breath: 0.006, chiff: 4)
  static let recorder = pipe(
    "Recorder", [74], [0, -16, -13, -28, -26, -38], breath: 0.008, chiff: 6, attack: 0.03)
  static let panFlute = pipe(
    "Pan Flute", [69], [0, -22, -15, -34, -30], breath: 0.028, chiff: 6, attack: 0.04)
  static let bottle = pipe(
    "Blown Bottle", [64], [0, -24, -28, -40], breath: 0.035, chiff: 4, attack: 0.06,
    rate: 20_000)
  static let shakuhachi = pipe(
    "Shakuhachi", [67], [0, -6, -12, -16, -24, -30], breath: 0.03, chiff: 8, attack: 0.06)
  static let whistle = pipe("Whistle", [78], [0, -34, -42], breath: 0.012, chiff: 2)
  static let ocarina = pipe(
    "Ocarina", [72], [0, -20, -26, -40], breath: 0.012, chiff: 3, attack: 0.035, rate: 22_000)
}
