/// Programs 96...103: synthesiser sounds with a scene in mind.
enum SynthEffects {
  static let programs: [Program] = [
    Program(
      "Rain",
      Layer(
        drops,
        Articulation(release: 1.5, softness: 1_500, reverb: 0.4, chorus: 0.3, attenuation: 0)),
      Layer(
        Pads.bowed,
        Articulation(attack: 0.4, release: 1, cutoff: 3_000, reverb: 0.35, attenuation: 12))),
    Program(
      "Soundtrack",
      Layer(
        Pads.poly,
        Articulation(
          attack: 0.5, release: 1.2, cutoff: 1_500,
          sweep: .init(cents: 2_000, attack: 1.4, decay: 3, sustain: 0.4), reverb: 0.35,
          chorus: 0.4, attenuation: 3)),
      Layer(
        Pads.warm,
        Articulation(
          attack: 0.4, release: 1.2, reverb: 0.3, chorus: 0.3, attenuation: 6, detune: 700))),
    Program(
      "Crystal", crystal, Articulation(release: 1.5, softness: 1_500, reverb: 0.4, chorus: 0.3)),
    Program(
      "Atmosphere",
      Layer(Guitars.nylon, Articulation(release: 0.8, reverb: 0.3, chorus: 0.3)),
      Layer(
        Pads.warm,
        Articulation(
          attack: 0.3, release: 1, cutoff: 3_500, reverb: 0.3, chorus: 0.3, attenuation: 8))),
    Program(
      "Brightness",
      Layer(
        Pads.metallic,
        Articulation(
          decay: 5, sustain: 16, release: 1, reverb: 0.3, chorus: 0.4, attenuation: 4)),
      Layer(
        Pads.poly,
        Articulation(attack: 0.1, release: 1, reverb: 0.3, chorus: 0.3, attenuation: 6))),
    Program(
      "Goblins", goblins,
      Articulation(
        attack: 0.4, release: 1.5, cutoff: 1_200, softness: 1_000, resonance: 9,
        sweep: .init(cents: 3_000, attack: 1.8, decay: 2.5, sustain: 0.2),
        vibrato: .init(depth: 22, hertz: 3.2), tremolo: .init(depth: 2.5, hertz: 2.1), reverb: 0.4,
        chorus: 0.5)),
    Program(
      "Echoes", crystal,
      Articulation(
        attack: 0.03, release: 1.6, cutoff: 3_500, softness: 1_500,
        tremolo: .init(depth: 5, hertz: 3.1), reverb: 0.45, chorus: 0.4)),
    Program(
      "Star Theme", stars,
      Articulation(
        attack: 0.05, release: 1.5, softness: 1_500,
        vibrato: .init(depth: 12, hertz: 4.2, delay: 0.5), reverb: 0.4, chorus: 0.45)),
  ]

  static let drops = recordings("Drops", [69]) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        [1, 2.01, 3.03, 4.9, 7.1], hertz: Mathematics.frequency(key: key),
        levels: [0, -9, -14, -18, -24], decay: 1.6, damping: 0.4),
      noise: [NoiseBurst(band: 2_000...9_000, amplitude: 0.1, decay: 0.02)], beating: 0.25,
      sampleRate: 24_000, length: 0.35, loopLength: 4_096
    ).record(name, key: key)
  }

  static let crystal = recordings("Crystal", [69]) { name, key in
    DecayingTone(
      modes: StruckBody.modes(
        [1, 2, 3.01, 5.04, 8.93, 12.1], hertz: Mathematics.frequency(key: key),
        levels: [0, -6, -12, -14, -20, -24], decay: 4.5, damping: 0.6), beating: 0.2,
      sampleRate: 28_000, length: 0.35, loopLength: 4_096
    ).record(name, key: key)
  }

  static let goblins = recordings("Goblins", [57]) { name, key in
    SteadyTone(
      level: { number, _ in Spectrum.falling(number, 0.7) }, spread: 30,
      breath: Spectrum.band(300, 3_000, 0.02), attack: 0.02, companions: [(1.41, 0.2), (2.3, 0.1)],
      sampleRate: 16_000, loopLength: 8_192
    ).record(name, key: key)
  }

  static let stars = recordings("Stars", [64]) { name, key in
    ModulatedTone(
      pairs: [
        .init(
          carrier: 1, modulator: 3, index: (1.6, 0.4), indexDecay: 2, amplitude: 1, decay: nil),
        .init(
          carrier: 2, modulator: 5, index: (2.4, 0.2), indexDecay: 1.2, amplitude: 0.4, decay: nil),
      ], attack: 0.02, sampleRate: 24_000, length: 0.4, loopLength: 1_024
    ).record(name, key: key)
  }
}
