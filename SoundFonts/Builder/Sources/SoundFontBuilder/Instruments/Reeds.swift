/// Programs 64...71: saxophones, double reeds and clarinet.
enum Reeds {
  static let programs: [Program] = [
    Program("Soprano Sax", soprano, blown(vibrato: 10, delay: 0.3)),
    Program("Alto Sax", alto, blown(vibrato: 10, delay: 0.35)),
    Program("Tenor Sax", tenor, blown(vibrato: 10, delay: 0.35)),
    Program("Baritone Sax", baritone, blown(vibrato: 7, delay: 0.45)),
    Program("Oboe", oboe, blown(vibrato: 9, delay: 0.3)),
    Program("English Horn", englishHorn, blown(vibrato: 9, delay: 0.35)),
    Program("Bassoon", bassoon, blown(vibrato: 6, delay: 0.4)),
    Program("Clarinet", clarinet, blown(vibrato: 3, delay: 0.5)),
  ]

  private static func blown(vibrato: Double, delay: Double) -> Articulation {
    Articulation(
      attack: 0.008, release: 0.14, cutoff: 8_000, softness: 2_400,
      vibrato: .init(depth: vibrato, hertz: 5.1, delay: delay),
      tremolo: .init(depth: 0.8, hertz: 5.1, delay: delay), scoop: (cents: -25, time: 0.06),
      reverb: 0.18)
  }

  private static func reed(
    _ name: String, _ keys: [Int], tilt: Double, breath: Double, attack: Double = 0.035,
    even: @escaping (Double) -> Double = { _ in 1 }, rate: Double = 24_000,
    _ bore: @escaping (Double) -> Double
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      SteadyTone(
        level: { number, hertz in
          Spectrum.falling(number, tilt) * bore(hertz)
            * (number.isMultiple(of: 2) ? even(hertz) : 1)
        }, spread: 2, breath: Spectrum.band(700, 5_000, breath), attack: attack, brightening: 1.7,
        chiff: 4, sampleRate: rate, loopLength: 2_048
      ).record(name, key: key)
    }
  }

  static let soprano = reed(
    "Soprano Sax", [62, 77], tilt: 0.9, breath: 0.004,
    Spectrum.resonances([(700, 500, 3), (1_500, 700, 3), (3_000, 1_400, 5)], floor: -11))
  static let alto = reed(
    "Alto Sax", [56, 70], tilt: 0.8, breath: 0.005,
    Spectrum.resonances([(500, 350, 4), (1_150, 500, 2), (2_500, 1_400, 5)], floor: -12))
  static let tenor = reed(
    "Tenor Sax", [49, 64], tilt: 0.75, breath: 0.006,
    Spectrum.resonances([(400, 300, 4), (950, 500, 2), (2_200, 1_400, 3)], floor: -13))
  static let baritone = reed(
    "Baritone Sax", [44], tilt: 0.65, breath: 0.005,
    Spectrum.resonances([(280, 250, 4), (700, 400, 2), (1_600, 1_000, -4)], floor: -17))

  /// A narrow cone: a weak fundamental under two formants.
  static let oboe = reed(
    "Oboe", [64, 78], tilt: 0.55, breath: 0.002,
    Spectrum.resonances([(1_050, 500, 5), (2_900, 900, 0)], floor: -13))
  static let englishHorn = reed(
    "English Horn", [60], tilt: 0.65, breath: 0.002,
    Spectrum.resonances([(850, 450, 5), (2_200, 800, -4)], floor: -14))
  static let bassoon = reed(
    "Bassoon", [41, 56], tilt: 0.5, breath: 0.0025, rate: 20_000,
    Spectrum.resonances([(460, 260, 6), (1_150, 500, -4)], floor: -18))

  /// A cylinder closed at one end: the low even harmonics are all but missing.
  static let clarinet = reed(
    "Clarinet", [58, 76], tilt: 0.85, breath: 0.0015, attack: 0.04,
    even: { 0.04 + 0.9 / (1 + (2_400 / $0) * (2_400 / $0)) },
    Spectrum.resonances([(800, 1_600, 2), (2_300, 1_600, 2)], floor: -12))
}
