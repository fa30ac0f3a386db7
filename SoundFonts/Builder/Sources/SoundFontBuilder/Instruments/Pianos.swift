/// Programs 0...7: pianos, electric pianos, harpsichord and clavinet.
enum Pianos {
  static let programs: [Program] = [
    Program(
      "Grand Piano", grand, Articulation(release: 0.35, cutoff: 9_000, softness: 3_400, width: 0.5)),
    Program(
      "Bright Piano", grand,
      Articulation(release: 0.35, softness: 1_900, width: 0.5, reverb: 0.1, chorus: 0.05)),
    Program(
      "Electric Grand", electricGrand,
      Articulation(release: 0.3, softness: 2_600, width: 0.4, reverb: 0.1, chorus: 0.25)),
    Program(
      "Honky-tonk",
      Layer(grand, Articulation(release: 0.35, softness: 2_000, attenuation: 6, detune: 9)),
      Layer(grand, Articulation(release: 0.35, softness: 2_000, attenuation: 6, detune: -8))),
    Program(
      "Tine E-Piano", tine,
      Articulation(
        release: 0.3, cutoff: 7_000, softness: 3_600, tremolo: .init(depth: 1.2, hertz: 5.2),
        reverb: 0.1, chorus: 0.2)),
    Program(
      "Chime E-Piano", chime, Articulation(release: 0.35, softness: 3_000, chorus: 0.3)),
    Program("Harpsichord", harpsichord, Articulation(release: 0.15, softness: 600, width: 0.3)),
    Program("Clavi", clavi, Articulation(release: 0.08, softness: 3_000, reverb: 0.06)),
  ]

  static let grand = recordings("Piano", [29, 40, 50, 60, 69, 79, 92]) { name, key in
    var string = StruckString()
    string.sampleRate = key < 45 ? 20_000 : key < 75 ? 26_000 : 30_000
    if key > 75 { (string.length, string.loopLength) = (0.45, 2_048) }
    return string.tone(key: key).record(name, key: key)
  }

  /// Strings under pickups instead of a soundboard: more middle, no knock.
  static let electricGrand = recordings("CP", [40, 64]) { name, key in
    var string = StruckString(position: 0.09, hardness: 1_250, knock: 0.03, sustain: 0.7)
    string.soundboard = Spectrum.resonances(
      [(220, 300, 0), (900, 900, 2), (2_400, 1_600, 4)], floor: -8)
    (string.length, string.sampleRate, string.loopLength) = (0.4, 22_000, 2_048)
    return string.tone(key: key).record(name, key: key)
  }

  /// A tine and its tone bar before a pickup: nearly a sine, with the octave from the pickup's
  /// curve, and the tine's own clang high above for a moment.
  static let tine = recordings("Tine", [40, 57, 74]) { name, key in
    let f0 = Mathematics.frequency(key: key)
    let octaves = Double(key - 60) / 12
    let decay = 8 * Mathematics.pow(0.72, octaves)
    var modes = zip([1.0, 2, 3, 4, 5, 6], [0, -9, -17, -22, -30, -36] as [Double]).map {
      number, level in
      Mode(
        hertz: f0 * number, amplitude: Mathematics.amplitude(decibels: level),
        decay: decay / Mathematics.pow(number, 0.8),
        aftersound: (share: 0.6, decay: decay / Mathematics.pow(number, 0.35)))
    }
    for (ratio, level, seconds) in [(7.03, -21.0, 0.5), (8.9, -27, 0.25), (13.1, -31, 0.15)] {
      modes.append(
        Mode(
          hertz: f0 * ratio, amplitude: Mathematics.amplitude(decibels: level - 3 * octaves),
          decay: seconds))
    }
    return DecayingTone(
      modes: modes, noise: [NoiseBurst(band: 200...1_500, amplitude: 0.06, decay: 0.04)],
      onset: 0.003, beating: 0.04, sampleRate: key < 60 ? 18_000 : 26_000, length: 0.5,
      loopLength: 1_024
    ).record(name, key: key)
  }

  static let chime = recordings("Chime EP", [48, 70]) { name, key in
    let decay = 8 * Mathematics.pow(0.72, Double(key - 60) / 12)
    return ModulatedTone(
      pairs: [
        .init(
          carrier: 1, modulator: 1, index: (1.3, 0.5), indexDecay: 2, amplitude: 1, decay: decay),
        .init(
          carrier: 1, modulator: 14, index: (0.4, 0.02), indexDecay: 0.9, amplitude: 0.6,
          decay: decay * 0.8),
        .init(
          carrier: 2, modulator: 1, index: (0.6, 0.1), indexDecay: 1, amplitude: 0.16,
          decay: decay * 0.6),
      ], sampleRate: key < 50 ? 24_000 : 26_000, length: 0.42, loopLength: 1_024
    ).record(name, key: key)
  }

  /// Two choirs of strings, the second an octave up, plucked by quills near the bridge.
  static let harpsichord = recordings("Harpsichord", [46, 65]) { name, key in
    let string = PluckedString(
      position: 0.11, brightness: 7_500, tilt: 0.55, decay: 4.5, damping: 2_600,
      stiffness: 0.00004,
      body: Spectrum.resonances([(250, 200, 0), (900, 800, 2), (2_800, 2_400, 4)], floor: -4),
      noise: [NoiseBurst(band: 2_000...9_000, amplitude: 0.25, decay: 0.025)], sampleRate: 27_000,
      length: 0.42, loopLength: 2_048)
    var tone = string.tone(key: key)
    var upper = string
    upper.noise = []
    tone.modes += upper.tone(key: key + 12).modes.map {
      Mode(hertz: $0.hertz, amplitude: $0.amplitude * 0.5, decay: $0.decay * 0.8)
    }
    return tone.record(name, key: key)
  }

  /// A string hit against an anvil, under pickups.
  static let clavi = recordings("Clavi", [43, 62]) { name, key in
    PluckedString(
      position: 0.06, pickup: 0.21, brightness: 4_500, tilt: 0.7, decay: 3, damping: 1_800,
      noise: [NoiseBurst(band: 800...5_000, amplitude: 0.3, decay: 0.012)], sampleRate: 24_000,
      length: 0.36, loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }
}
