/// Programs 56...63: lips on mouthpieces, and their synthetic relatives.
enum Brass {
  static let programs: [Program] = [
    Program("Trumpet", trumpet, blown(delay: 0.35)),
    Program("Trombone", trombone, blown(delay: 0.4)),
    Program("Tuba", tuba, blown(delay: 0.6)),
    Program("Muted Trumpet", muted, blown(delay: 0.35)),
    Program("French Horn", horn, blown(delay: 0.5, reverb: 0.28)),
    Program(
      "Brass Section", section,
      Articulation(
        attack: 0.02, release: 0.2, cutoff: 6_000, softness: 2_800,
        sweep: .init(cents: 900, attack: 0.07, decay: 0.5, sustain: 0.3), reverb: 0.18)),
    Program(
      "Synth Brass 1", Leads.saw,
      Articulation(
        attack: 0.015, release: 0.25, cutoff: 900, softness: 1_800, resonance: 3,
        sweep: .init(cents: 3_600, attack: 0.05, decay: 0.9, sustain: 0.55), chorus: 0.3)),
    Program(
      "Synth Brass 2", Leads.saw,
      Articulation(
        attack: 0.05, release: 0.4, cutoff: 600, softness: 1_600, resonance: 1,
        sweep: .init(cents: 3_000, attack: 0.18, decay: 1.4, sustain: 0.6), reverb: 0.15,
        chorus: 0.4)),
  ]

  private static func blown(delay: Double, reverb: Double = 0.18) -> Articulation {
    Articulation(
      attack: 0.01, release: 0.16, cutoff: 7_500, softness: 3_400,
      vibrato: .init(depth: 8, hertz: 5, delay: delay), scoop: (cents: -40, time: 0.06),
      reverb: reverb)
  }

  /// The bell radiates what lies below its cutoff less well and ends the spectrum above it; the
  /// louder the lips, the higher the harmonics reach (Benade, 1976).
  private static func lips(
    _ name: String, _ keys: [Int], peak: Double, width: Double, end: Double, attack: Double,
    spread: Double = 2, rate: Double = 24_000, loopLength: Int = 4_096, dip: Double? = nil
  ) -> [Recording] {
    let bell = Spectrum.resonances([(peak, width, 0)], floor: -14)
    let limit = Spectrum.below(end, order: 2.5)
    return recordings(name, keys) { name, key in
      SteadyTone(
        level: { number, hertz in
          let notch = dip.map { 1 - 0.85 / (1 + (hertz / $0 - 1) * (hertz / $0 - 1) * 9) } ?? 1
          return Spectrum.falling(number, 0.45) * bell(hertz) * limit(hertz) * notch
        }, spread: spread, breath: Spectrum.band(800, 4_000, 0.002), attack: attack,
        brightening: 2.2, chiff: 4, sampleRate: rate, loopLength: loopLength
      ).record(name, key: key)
    }
  }

  static let trumpet = lips(
    "Trumpet", [60, 74], peak: 1_350, width: 1_700, end: 4_600, attack: 0.03)
  static let trombone = lips(
    "Trombone", [45, 60], peak: 680, width: 950, end: 2_900, attack: 0.04)
  static let tuba = lips(
    "Tuba", [36], peak: 170, width: 250, end: 520, attack: 0.05, rate: 12_000)
  static let muted = lips(
    "Muted Trumpet", [67], peak: 2_300, width: 1_400, end: 4_500, attack: 0.025, dip: 900)
  static let horn = lips(
    "French Horn", [46, 62], peak: 420, width: 500, end: 1_250, attack: 0.06, rate: 18_000)
  static let section = lips(
    "Brass Section", [48, 65], peak: 1_050, width: 1_600, end: 4_800, attack: 0.045,
    spread: 16, loopLength: 8_192)
}
