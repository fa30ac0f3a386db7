/// Programs 40...47: bowed soloists, and what an orchestra plucks and strikes.
enum Strings {
  static let programs: [Program] = [
    Program("Violin", violin, bowed(vibrato: 14, hertz: 5.6)),
    Program("Viola", viola, bowed(vibrato: 12, hertz: 5.3)),
    Program("Cello", cello, bowed(vibrato: 11, hertz: 5.0)),
    Program("Contrabass", contrabass, bowed(vibrato: 7, hertz: 4.6)),
    Program(
      "Tremolo Strings", Ensembles.strings,
      Articulation(
        attack: 0.03, release: 0.35, cutoff: 7_000, softness: 2_000,
        tremolo: .init(depth: 4.5, hertz: 12), reverb: 0.25)),
    Program("Pizzicato", pizzicato, Articulation(release: 0.3, softness: 2_200, reverb: 0.25)),
    Program("Harp", harp, Articulation(release: 1.2, softness: 2_200, width: 0.4, reverb: 0.22)),
    Program("Timpani", timpani, Articulation(release: 1.2, softness: 1_800, reverb: 0.25)),
  ]

  private static func bowed(vibrato: Double, hertz: Double) -> Articulation {
    Articulation(
      attack: 0.02, release: 0.22, cutoff: 9_000, softness: 2_400,
      vibrato: .init(depth: vibrato, hertz: hertz, delay: 0.28),
      tremolo: .init(depth: 0.7, hertz: hertz, delay: 0.3), scoop: (cents: -18, time: 0.09),
      reverb: 0.22)
  }

  /// Stick and slip make a saw wave (Helmholtz, 1862); the body colours it.
  private static func bow(
    _ name: String, _ keys: [Int], attack: Double, rate: Double = 24_000,
    _ body: @escaping (Double) -> Double
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      var random = RandomSource(name + " strings")
      let grain = (0..<160).map { _ in Mathematics.amplitude(decibels: 3 * random.bipolar()) }
      return SteadyTone(
        level: { number, hertz in
          Spectrum.falling(number, 1) * body(hertz) * grain[min(number, 159)]
        }, spread: 2.5, breath: Spectrum.band(1_200, 7_000, 0.0035), attack: attack,
        brightening: 1.6, chiff: 5, sampleRate: rate, loopLength: 4_096
      ).record(name, key: key)
    }
  }

  /// The air of the body, its main wood modes, and the hill of the bridge.
  static let violin = bow(
    "Violin", [60, 72, 85], attack: 0.075,
    Spectrum.resonances(
      [(280, 70, 3), (460, 90, 5), (560, 110, 5), (1_100, 500, 0), (2_600, 1_500, 10)], floor: -9))
  static let viola = bow(
    "Viola", [53, 68], attack: 0.085,
    Spectrum.resonances(
      [(220, 60, 4), (350, 90, 5), (480, 120, 4), (950, 400, 1), (2_100, 1_200, 9)], floor: -10))
  static let cello = bow(
    "Cello", [41, 57], attack: 0.09, rate: 18_000,
    Spectrum.resonances(
      [(105, 30, 5), (180, 50, 6), (300, 120, 4), (650, 350, 1), (1_500, 1_000, 5)], floor: -12))
  static let contrabass = bow(
    "Contrabass", [33, 47], attack: 0.11, rate: 12_000,
    Spectrum.resonances(
      [(62, 25, 5), (110, 40, 6), (220, 110, 5), (480, 300, 1), (1_000, 700, -3)], floor: -17))

  static let pizzicato = recordings("Pizzicato", [50, 69]) { name, key in
    PluckedString(
      position: 0.2, brightness: 1_500, tilt: 0.9, decay: 1.1 - 0.012 * Double(key - 48),
      damping: 800,
      body: Spectrum.resonances([(220, 100, 4), (460, 180, 4), (1_200, 900, 0)], floor: -8),
      noise: [NoiseBurst(band: 300...2_500, amplitude: 0.2, decay: 0.025)],
      knock: [(150, 0.15, 0.1), (280, 0.15, 0.1), (465, 0.1, 0.07)], sampleRate: 18_000,
      length: 0.4, loopLength: 0
    ).tone(key: key).record(name, key: key)
  }

  static let harp = recordings("Harp", [41, 57, 74]) { name, key in
    PluckedString(
      position: 0.4, brightness: 1_700, tilt: 1.15, decay: 4.5 * (key < 60 ? 1 : 0.7),
      damping: 1_400,
      body: Spectrum.resonances([(170, 120, 3), (350, 250, 3), (900, 900, 0)], floor: -6),
      noise: [NoiseBurst(band: 400...2_500, amplitude: 0.08, decay: 0.02)],
      knock: [(165, 0.06, 0.12), (340, 0.05, 0.08)], sampleRate: 20_000, length: 0.36,
      loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }

  static let timpani = recordings("Timpani", [45], level: 2) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        StruckBody.kettle, hertz: Mathematics.frequency(key: key),
        levels: [0, -1, -12, -4, -14, -8, -13, -17], decay: 2.6, damping: 0.9)
        + [Mode(hertz: Mathematics.frequency(key: key) * 0.85, amplitude: 0.6, decay: 0.3)],
      noise: [NoiseBurst(band: 80...900, amplitude: 0.35, decay: 0.09)], onset: 0.004,
      beating: 0.1, sampleRate: 14_000, length: 0.7, loopLength: 4_096
    ).record(name, key: key)
  }
}
