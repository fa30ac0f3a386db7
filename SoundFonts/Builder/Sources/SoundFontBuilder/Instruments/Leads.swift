/// Programs 80...87: synthesiser voices for a tune.
enum Leads {
  static let programs: [Program] = [
    Program("Square Lead", square, lead(cutoff: 6_000)),
    Program("Saw Lead", saw, lead(cutoff: 6_500)),
    Program("Calliope Lead", calliope, lead(cutoff: nil)),
    Program(
      "Chiff Lead", chiff,
      Articulation(
        decay: 2.5, sustain: 4, release: 0.2, cutoff: 2_400, softness: 1_800,
        sweep: .init(cents: 2_600, attack: 0.001, decay: 0.35, sustain: 0.25), chorus: 0.2)),
    Program(
      "Charang Lead", charang,
      Articulation(
        decay: 12, sustain: 8, release: 0.15, softness: 1_000,
        vibrato: .init(depth: 6, hertz: 5.2, delay: 0.4), chorus: 0.15)),
    Program("Voice Lead", Ensembles.voice, lead(cutoff: 5_000, attack: 0.04)),
    Program(
      "Fifths Lead", Layer(saw, lead(cutoff: 4_500, attenuation: 6)),
      Layer(saw, lead(cutoff: 4_500, detune: 700, attenuation: 6))),
    Program(
      "Bass and Lead", Layer(saw, lead(cutoff: 3_200, attenuation: 6)),
      Layer(square, lead(cutoff: 3_000, detune: -1_200, attenuation: 6))),
  ]

  private static func lead(
    cutoff: Double?, attack: Double = 0, detune: Double = 0, attenuation: Double = 0
  ) -> Articulation {
    Articulation(
      attack: attack, release: 0.12, cutoff: cutoff, softness: 1_800,
      vibrato: .init(depth: 7, hertz: 5.4, delay: 0.4), reverb: 0.14, chorus: 0.15,
      attenuation: attenuation, detune: detune)
  }

  private static func wave(
    _ name: String, _ keys: [Int] = [52, 74], spread: Double = 0, loopLength: Int = 2_048,
    _ level: @escaping (Int) -> Double
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      SteadyTone(
        level: { number, _ in level(number) }, spread: spread, attack: 0.004, brightening: 1,
        sampleRate: 28_000, loopLength: loopLength
      ).record(name, key: key)
    }
  }

  static let square = wave("Square") {
    $0.isMultiple(of: 2) ? 0 : Spectrum.falling($0, 1)
  }
  static let saw = wave("Saw", spread: 6, loopLength: 8_192) { Spectrum.falling($0, 1) }

  static let calliope = recordings("Calliope", [67]) { name, key in
    SteadyTone(
      level: { number, _ in [0, 1, 0.22, 0.1, 0.03][min(number, 4)] * (number > 4 ? 0 : 1) },
      breath: Spectrum.band(1_000, 5_000, 0.02), attack: 0.02, chiff: 5, sampleRate: 24_000,
      loopLength: 4_096
    ).record(name, key: key)
  }

  static let chiff = recordings("Chiff", [62]) { name, key in
    SteadyTone(
      level: { number, _ in Spectrum.falling(number, number.isMultiple(of: 2) ? 1.3 : 0.9) },
      breath: Spectrum.band(2_000, 8_000, 0.006), attack: 0.006, chiff: 18, sampleRate: 26_000,
      loopLength: 4_096
    ).record(name, key: key)
  }

  static let charang = recordings("Charang", [55]) { name, key in
    let speaker = Spectrum.resonances([(600, 500, 2), (2_600, 1_600, 4)], floor: -8)
    return SteadyTone(
      level: { Spectrum.falling($0, 0.6) * speaker($1) * Spectrum.below(5_500)($1) }, spread: 5,
      breath: Spectrum.band(800, 4_000, 0.008), attack: 0.004, chiff: 20, sampleRate: 24_000,
      loopLength: 8_192
    ).record(name, key: key)
  }
}
