/// Programs 24...31: acoustic and electric guitars.
enum Guitars {
  static let programs: [Program] = [
    Program("Nylon Guitar", nylon, Articulation(release: 0.4, softness: 2_600, reverb: 0.15)),
    Program("Steel Guitar", steel, Articulation(release: 0.4, softness: 2_400, reverb: 0.13)),
    Program(
      "Jazz Guitar", jazz, Articulation(release: 0.2, cutoff: 3_800, softness: 2_200, reverb: 0.12)),
    Program("Clean Guitar", clean, Articulation(release: 0.2, softness: 2_400, chorus: 0.25)),
    Program("Muted Guitar", muted, Articulation(release: 0.1, softness: 2_400, reverb: 0.08)),
    Program(
      "Overdriven Guitar", overdriven,
      Articulation(
        decay: 20, release: 0.15, cutoff: 5_500, softness: 800,
        vibrato: .init(depth: 6, hertz: 5, delay: 0.6), chorus: 0.08)),
    Program(
      "Distorted Guitar", distorted,
      Articulation(
        decay: 26, release: 0.15, cutoff: 5_500, softness: 600,
        vibrato: .init(depth: 7, hertz: 5, delay: 0.6), chorus: 0.08)),
    Program(
      "Guitar Harmonics", harmonics, Articulation(release: 0.6, softness: 1_500, reverb: 0.2)),
  ]

  private static func box(_ hertz: Double) -> Double {
    Spectrum.resonances(
      [(105, 45, 5), (205, 60, 6), (410, 160, 3), (700, 500, 0), (2_600, 2_000, -4)], floor: -9)(
        hertz)
  }

  static let nylon = recordings("Nylon Guitar", [43, 54, 65, 77]) { name, key in
    PluckedString(
      position: 0.23, brightness: 2_500, tilt: 0.9, decay: key < 55 ? 7 : 5, damping: 1_100,
      stiffness: 0.00002, body: box,
      noise: [
        NoiseBurst(band: 300...2_200, amplitude: 0.14, decay: 0.03),
        NoiseBurst(band: 2_000...5_000, amplitude: 0.03, decay: 0.012),
      ],
      knock: [(104, 0.2, 0.22), (206, 0.22, 0.14), (412, 0.1, 0.08)], sampleRate: 19_000,
      length: 0.44
    ).tone(key: key).record(name, key: key)
  }

  static let steel = recordings("Steel Guitar", [43, 54, 65, 77]) { name, key in
    PluckedString(
      position: 0.15, brightness: 5_200, tilt: 0.62, decay: key < 55 ? 8 : 6, damping: 2_600,
      stiffness: 0.00007, body: box,
      noise: [NoiseBurst(band: 2_500...9_000, amplitude: 0.13, decay: 0.018)],
      knock: [(98, 0.12, 0.2), (196, 0.12, 0.12)], sampleRate: 24_000, length: 0.44
    ).tone(key: key).record(name, key: key)
  }

  static let jazz = recordings("Jazz Guitar", [47, 66]) { name, key in
    PluckedString(
      position: 0.25, pickup: 0.27, brightness: 2_000, tilt: 0.75, decay: 6, damping: 1_400,
      noise: [NoiseBurst(band: 300...2_000, amplitude: 0.1, decay: 0.015)],
      knock: [(180, 0.08, 0.08)], sampleRate: 18_000, length: 0.45, loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }

  static let clean = recordings("Clean Guitar", [47, 66]) { name, key in
    PluckedString(
      position: 0.17, pickup: 0.13, brightness: 5_000, tilt: 0.55, decay: 8, damping: 2_200,
      noise: [NoiseBurst(band: 1_500...7_000, amplitude: 0.12, decay: 0.01)], sampleRate: 25_000,
      length: 0.45, loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }

  static let muted = recordings("Muted Guitar", [52]) { name, key in
    PluckedString(
      position: 0.12, pickup: 0.15, brightness: 3_000, tilt: 0.8, decay: 0.42, damping: 900,
      noise: [NoiseBurst(band: 800...5_000, amplitude: 0.25, decay: 0.012)],
      knock: [(120, 0.12, 0.08)], sampleRate: 22_000, length: 0.4, loopLength: 0
    ).tone(key: key).record(name, key: key)
  }

  /// A string that has gone through an amplifier driven until it clips holds its level and grows a
  /// thick row of harmonics; the loudspeaker ends it near 4 kHz.
  private static func driven(_ name: String, tilt: Double, noise: Double) -> [Recording] {
    recordings(name, [43, 60, 74]) { name, key in
      let speaker = Spectrum.resonances(
        [(130, 120, 2), (450, 500, 0), (1_200, 1_000, 2), (2_700, 1_800, 9)], floor: -12)
      return SteadyTone(
        level: { number, hertz in
          Spectrum.falling(number, tilt) * speaker(hertz) * Spectrum.below(5_000, order: 3)(hertz)
            * (0.25 + abs(Mathematics.sin(Double(number) * 0.41)))
        }, spread: 3, breath: Spectrum.band(700, 3_600, noise), attack: 0.006, brightening: 0.6,
        chiff: 14, sampleRate: 20_000, loopLength: 4_096
      ).record(name, key: key)
    }
  }

  static let overdriven = driven("Overdriven", tilt: 0.6, noise: 0.006)
  static let distorted = driven("Distorted", tilt: 0.32, noise: 0.012)

  static let harmonics = recordings("Harmonics", [70]) { name, key in
    PluckedString(
      position: 0.4, pickup: 0.2, brightness: 4_500, tilt: 0.9, decay: 4, damping: 2_500,
      noise: [NoiseBurst(band: 1_500...6_000, amplitude: 0.06, decay: 0.015)], sampleRate: 24_000,
      length: 0.4, loopLength: 2_048
    ).tone(key: key).record(name, key: key)
  }
}
