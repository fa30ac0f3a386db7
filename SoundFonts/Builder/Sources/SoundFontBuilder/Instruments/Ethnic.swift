/// Programs 104...111: strings, reeds and tines from around the world.
enum Ethnic {
  static let programs: [Program] = [
    Program("Sitar", sitar, Articulation(release: 0.5, softness: 1_500, chorus: 0.1)),
    Program("Banjo", banjo, Articulation(release: 0.2, softness: 1_800)),
    Program("Shamisen", shamisen, Articulation(release: 0.2, softness: 1_800)),
    Program("Koto", koto, Articulation(release: 0.7, softness: 2_000, reverb: 0.2)),
    Program("Kalimba", kalimba, Articulation(release: 0.5, softness: 2_200, reverb: 0.15)),
    Program("Bagpipe", bagpipe, Articulation(release: 0.1, softness: 0, reverb: 0.15)),
    Program(
      "Fiddle", Strings.violin,
      Articulation(
        release: 0.12, softness: 1_800, vibrato: .init(depth: 9, hertz: 5.8, delay: 0.25),
        scoop: (cents: -40, time: 0.07), reverb: 0.12)),
    Program(
      "Shanai", shanai,
      Articulation(
        release: 0.12, softness: 1_500, vibrato: .init(depth: 14, hertz: 5.4, delay: 0.2),
        scoop: (cents: -60, time: 0.1), reverb: 0.18)),
  ]

  /// The wide bridge lets the string buzz, which keeps feeding its high partials; the sympathetic
  /// strings stand around it.
  static let sitar = recordings("Sitar", [54]) { name, key in
    var tone = PluckedString(
      position: 0.09, brightness: 5_500, tilt: 0.35, decay: 5, damping: 5_000,
      body: Spectrum.resonances([(350, 250, 2), (1_500, 900, 3), (3_200, 1_500, 4)], floor: -8),
      grain: 4, noise: [NoiseBurst(band: 1_500...8_000, amplitude: 0.3, decay: 0.04)],
      sampleRate: 26_000, length: 0.5, loopLength: 4_096
    ).tone(key: key)
    tone.beating = 0.35
    let f0 = Mathematics.frequency(key: key)
    for ratio in [1.5, 2.0, 2.25, 3.0] {
      tone.modes.append(Mode(hertz: f0 * ratio * 1.003, amplitude: 0.25, decay: 5))
    }
    return tone.record(name, key: key)
  }

  /// A skin for a body: loud, bright and short.
  static let banjo = recordings("Banjo", [54, 69]) { name, key in
    PluckedString(
      position: 0.1, brightness: 5_500, tilt: 0.5, decay: 1.5, damping: 2_200,
      body: Spectrum.resonances([(420, 250, 3), (900, 500, 4), (2_400, 1_600, 3)], floor: -9),
      noise: [NoiseBurst(band: 800...6_000, amplitude: 0.4, decay: 0.02)],
      knock: [(320, 0.25, 0.05), (560, 0.2, 0.04)], sampleRate: 25_000, length: 0.4,
      loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }

  static let shamisen = recordings("Shamisen", [57]) { name, key in
    PluckedString(
      position: 0.07, brightness: 4_000, tilt: 0.45, decay: 1.1, damping: 1_800,
      body: Spectrum.resonances([(550, 300, 4), (1_300, 700, 3)], floor: -8), grain: 3.5,
      noise: [NoiseBurst(band: 500...6_000, amplitude: 0.7, decay: 0.03)],
      knock: [(240, 0.35, 0.06), (430, 0.3, 0.05)], sampleRate: 24_000, length: 0.5,
      loopLength: 2_048
    ).tone(key: key).record(name, key: key)
  }

  static let koto = recordings("Koto", [54, 70]) { name, key in
    PluckedString(
      position: 0.13, brightness: 3_200, tilt: 0.75, decay: 3.6, damping: 1_700,
      body: Spectrum.resonances([(280, 160, 3), (750, 450, 2), (2_000, 1_400, 1)], floor: -6),
      noise: [NoiseBurst(band: 1_200...6_000, amplitude: 0.25, decay: 0.018)], sampleRate: 24_000,
      length: 0.38
    ).tone(key: key).record(name, key: key)
  }

  /// A plucked tongue of steel: its second mode lies 6.27 times higher.
  static let kalimba = recordings("Kalimba", [64]) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        [1, 2, 6.27, 17.5], hertz: Mathematics.frequency(key: key), levels: [0, -14, -9, -20],
        decay: 1.1 * Mathematics.pow(0.7, Double(key - 60) / 12), damping: 0.9)
        + [Mode(hertz: 190, amplitude: 0.12, decay: 0.07)],
      noise: [NoiseBurst(band: 500...4_000, amplitude: 0.16, decay: 0.014)], sampleRate: 24_000,
      length: 0.36, loopLength: 2_048
    ).record(name, key: key)
  }

  /// The chanter over its drones, an octave and two below.
  static let bagpipe = recordings("Bagpipe", [58, 70]) { name, key in
    SteadyTone(
      level: {
        Spectrum.falling($0, 0.35)
          * Spectrum.resonances([(1_000, 500, 3), (2_400, 900, 3)], floor: -14)($1)
      }, spread: 3, breath: Spectrum.band(1_000, 5_000, 0.004), attack: 0.03,
      companions: [(0.5, 0.35), (0.25, 0.25), (0.75, 0.15)], sampleRate: 24_000, loopLength: 4_096
    ).record(name, key: key)
  }

  static let shanai = recordings("Shanai", [67]) { name, key in
    let bore = Spectrum.resonances([(1_250, 500, 5), (2_700, 800, 4)], floor: -14)
    return SteadyTone(
      level: { Spectrum.falling($0, 0.3) * bore($1) }, spread: 3,
      breath: Spectrum.band(1_000, 5_000, 0.004), attack: 0.03, brightening: 1.6, chiff: 3,
      sampleRate: 24_000, loopLength: 4_096
    ).record(name, key: key)
  }
}
