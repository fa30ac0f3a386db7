/// Programs 88...95: synthesiser sounds that lie under the music.
enum Pads {
  static let programs: [Program] = [
    Program(
      "New Age Pad",
      Layer(warm, pad(attack: 0.15, cutoff: 3_000)),
      Layer(
        ChromaticPercussion.vibraphone,
        Articulation(release: 1.5, reverb: 0.35, chorus: 0.3, attenuation: 8))),
    Program("Warm Pad", warm, pad(attack: 0.35, cutoff: 1_500)),
    Program("Polysynth Pad", poly, pad(attack: 0.03, cutoff: 5_500)),
    Program("Choir Pad", Ensembles.aahs, pad(attack: 0.3, cutoff: 4_500)),
    Program("Bowed Pad", bowed, pad(attack: 0.5, cutoff: 6_000)),
    Program("Metallic Pad", metallic, pad(attack: 0.12, cutoff: nil)),
    Program("Halo Pad", halo, pad(attack: 0.45, cutoff: 5_000)),
    Program(
      "Sweep Pad", poly,
      Articulation(
        attack: 0.25, release: 1.2, cutoff: 400, softness: 1_000, resonance: 7,
        sweep: .init(cents: 4_200, attack: 2.2, decay: 4, sustain: 0.25), reverb: 0.3,
        chorus: 0.45)),
  ]

  private static func pad(attack: Double, cutoff: Double?) -> Articulation {
    Articulation(
      attack: attack, release: 1.1, cutoff: cutoff, softness: 1_400, reverb: 0.32, chorus: 0.4)
  }

  static let warm = Ensembles.chorus(
    "Warm Pad", [48, 66], tilt: 1.2, spread: 30, attack: 0.02, rate: 14_000, loopLength: 8_192,
    Spectrum.below(3_000))
  static let poly = Ensembles.chorus(
    "Poly Pad", [48, 66], tilt: 0.95, spread: 22, attack: 0.01, rate: 20_000, loopLength: 16_384,
    Spectrum.below(8_000))

  /// Glass rubbed by a bow: few harmonics, the third and the fifth sing.
  static let bowed = Ensembles.chorus(
    "Bowed Glass", [55, 72], tilt: 1.6, spread: 12, attack: 0.05, breath: 0.004,
    rate: 18_000, loopLength: 8_192,
    Spectrum.resonances([(900, 300, 4), (1_900, 300, 6), (3_300, 400, 2)], floor: -6))

  static let metallic = recordings("Metal Pad", [60]) { name, key in
    SteadyTone(
      level: { number, _ in
        [1, 4, 5, 9, 11, 14].contains(number) ? Spectrum.falling(number, 0.55) : 0
      }, spread: 10, attack: 0.01,
      companions: [(2.756, 0.3), (5.404, 0.22), (6.79, 0.16), (8.93, 0.1)], sampleRate: 22_000,
      loopLength: 16_384
    ).record(name, key: key)
  }

  static let halo = Ensembles.chorus(
    "Halo", [50, 67], tilt: 0.8, spread: 36, attack: 0.05, breath: 0.008, rate: 16_000,
    loopLength: 8_192,
    Spectrum.resonances([(500, 200, 4), (1_500, 300, 2), (3_000, 500, 0)], floor: -18))
}
