/// Programs 48...55: many players or singers at once.
enum Ensembles {
  static let programs: [Program] = [
    Program(
      "String Ensemble", strings,
      Articulation(attack: 0.06, release: 0.8, cutoff: 7_500, softness: 2_600, reverb: 0.28)),
    Program(
      "Slow Strings", strings,
      Articulation(attack: 0.3, release: 1.3, cutoff: 5_500, softness: 2_200, reverb: 0.3)),
    Program(
      "Synth Strings 1", Pads.poly,
      Articulation(attack: 0.06, release: 0.5, softness: 1_800, reverb: 0.2, chorus: 0.4)),
    Program(
      "Synth Strings 2", Pads.poly,
      Articulation(
        attack: 0.2, release: 0.9, cutoff: 2_600, softness: 1_400, resonance: 2, reverb: 0.25,
        chorus: 0.45)),
    Program(
      "Choir Aahs", aahs,
      Articulation(
        attack: 0.08, release: 0.9, cutoff: 6_500, softness: 1_200,
        vibrato: .init(depth: 6, hertz: 4.8),
        reverb: 0.35)),
    Program(
      "Voice Oohs", oohs,
      Articulation(
        attack: 0.06, release: 0.7, cutoff: 4_500, softness: 1_200,
        vibrato: .init(depth: 9, hertz: 5, delay: 0.25), reverb: 0.3)),
    Program(
      "Synth Voice", voice,
      Articulation(
        attack: 0.03, release: 0.4, softness: 1_400,
        vibrato: .init(depth: 8, hertz: 5, delay: 0.2), reverb: 0.2, chorus: 0.35)),
    Program("Orchestra Hit", hit, Articulation(release: 0.5, softness: 1_400, reverb: 0.25)),
  ]

  static func chorus(
    _ name: String, _ keys: [Int], tilt: Double, spread: Double, attack: Double,
    breath: Double = 0, rate: Double = 22_000, loopLength: Int = 32_768,
    _ body: @escaping (Double) -> Double
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      SteadyTone(
        level: { Spectrum.falling($0, tilt) * body($1) }, spread: spread,
        breath: breath > 0 ? Spectrum.band(1_500, 7_000, breath) : nil, attack: attack,
        brightening: 1.5, sampleRate: rate, loopLength: loopLength
      ).record(name, key: key)
    }
  }

  /// Desks of violins, violas and cellos, each a little out with the next.
  static let strings = chorus(
    "Strings", [46, 60, 75], tilt: 0.95, spread: 26, attack: 0.05, breath: 0.002,
    rate: 20_000, loopLength: 16_384,
    Spectrum.resonances(
      [(230, 160, 2), (480, 250, 4), (1_050, 600, 1), (2_500, 1_800, 7)], floor: -9))

  /// Formants of a sung "ah", those of men and women between.
  static let aahs = chorus(
    "Aahs", [50, 62, 74], tilt: 0.75, spread: 26, attack: 0.06, breath: 0.001, rate: 16_000,
    loopLength: 8_192,
    Spectrum.resonances(
      [(680, 140, 6), (1_120, 160, 3), (2_600, 250, -12), (3_300, 300, -17)], floor: -38))

  static let oohs = chorus(
    "Oohs", [54, 71], tilt: 1.0, spread: 18, attack: 0.05, breath: 0.002, rate: 14_000,
    loopLength: 8_192,
    Spectrum.resonances(
      [(330, 140, 6), (780, 160, 0), (2_400, 300, -16), (3_200, 300, -20)], floor: -32))

  static let voice = chorus(
    "Synth Voice", [50, 66], tilt: 0.7, spread: 14, attack: 0.03, rate: 18_000,
    loopLength: 8_192,
    Spectrum.resonances([(450, 160, 5), (1_600, 250, 1), (2_800, 300, -8)], floor: -24))

  /// Everyone on one short chord of octaves and a fifth.
  static let hit = recordings("Orchestra Hit", [60]) { name, key in
    let f0 = Mathematics.frequency(key: key)
    var random = RandomSource(name)
    var modes: [Mode] = []
    for ratio in [0.25, 0.5, 0.749, 1.0, 1.26, 1.498, 2.0] {
      for n in 1...24 {
        for _ in 0..<3 {
          let hertz = f0 * ratio * Double(n) * Mathematics.ratio(cents: 11 * random.bipolar())
          guard hertz < 9_000 else { break }
          modes.append(
            Mode(
              hertz: hertz, amplitude: Spectrum.falling(n, 0.9) * Spectrum.below(4_500)(hertz),
              decay: 0.9 / (1 + hertz / 5_000)))
        }
      }
    }
    return DecayingTone(
      modes: modes,
      noise: [
        NoiseBurst(band: 60...400, amplitude: 3, decay: 0.3),
        NoiseBurst(band: 2_000...9_000, amplitude: 2, decay: 0.4),
      ], onset: 0.012, sampleRate: 18_000, length: 0.75, loopLength: 0
    ).record(name, key: key)
  }
}
