/// Programs 16...23: drawbars, pipes and free reeds.
enum Organs {
  static let programs: [Program] = [
    Program(
      "Drawbar Organ", drawbar,
      Articulation(
        release: 0.06, softness: 300, vibrato: .init(depth: 5, hertz: 6.2),
        tremolo: .init(depth: 1, hertz: 6.2), reverb: 0.1, chorus: 0.25)),
    Program(
      "Percussive Organ", percussive, Articulation(release: 0.06, softness: 300, chorus: 0.2)),
    Program(
      "Rock Organ", rock,
      Articulation(
        release: 0.06, softness: 300, vibrato: .init(depth: 8, hertz: 6.8),
        tremolo: .init(depth: 1.5, hertz: 6.8), reverb: 0.08, chorus: 0.3)),
    Program(
      "Church Organ", church, Articulation(release: 0.9, cutoff: 7_000, softness: 0, reverb: 0.35)),
    Program("Reed Organ", harmonium, Articulation(release: 0.2, softness: 600, reverb: 0.15)),
    Program(
      "Accordion",
      Layer(accordion, Articulation(release: 0.15, softness: 900, attenuation: 6, detune: -5)),
      Layer(accordion, Articulation(release: 0.15, softness: 900, attenuation: 6, detune: 9))),
    Program(
      "Harmonica", harmonica,
      Articulation(
        release: 0.15, softness: 1_800, vibrato: .init(depth: 10, hertz: 5.2, delay: 0.35),
        tremolo: .init(depth: 1.5, hertz: 5.2, delay: 0.3), scoop: (cents: -35, time: 0.12))),
    Program("Bandoneon", bandoneon, Articulation(release: 0.15, softness: 1_200, reverb: 0.12)),
  ]

  /// Levels of the nine drawbars, 0...8, each step 3 dB, on harmonics 1/2, 3/2, 1, 2, 3, 4, 5, 6, 8
  /// of the key; counted here from the lowest, 16 feet.
  private static func drawbars(_ settings: [Double], click: Double = 0) -> SteadyTone {
    let harmonics = [1, 3, 2, 4, 6, 8, 10, 12, 16]
    return SteadyTone(
      level: { number, _ in
        guard let bar = harmonics.firstIndex(of: number), settings[bar] > 0 else { return 0 }
        return Mathematics.amplitude(decibels: 3 * (settings[bar] - 8))
      }, breath: Spectrum.band(800, 5_000, 0.0002), attack: 0.006, brightening: 0.5, chiff: click,
      sampleRate: 26_000, loopLength: 1_024)
  }

  /// Recorded an octave down, where the 16-foot bar is the fundamental of the loop.
  private static func organ(_ name: String, _ tone: SteadyTone) -> [Recording] {
    recordings(name, [55, 76]) { name, key in
      var recording = tone.record(name, key: key - 12)
      recording.key = key
      return recording
    }
  }

  static let drawbar = organ("Drawbars", drawbars([8, 6, 8, 6, 3, 4, 1, 1, 2], click: 14))
  static let percussive = organ("Perc Organ", drawbars([7, 0, 8, 3, 8, 0, 0, 0, 0], click: 30))

  /// All bars out, through a driven valve amplifier: more harmonics than bars.
  static let rock = organ(
    "Rock Organ",
    {
      var tone = drawbars([8, 8, 8, 7, 6, 6, 4, 4, 6], click: 20)
      let bars = tone.level
      tone.level = {
        bars($0, $1) + 0.12 * Spectrum.falling($0, 0.8) * Spectrum.below(3_500)($1)
      }
      return tone
    }())

  /// Principals of 8, 4, 2 2/3, 2 feet and a mixture, several ranks slightly apart.
  static let church = recordings("Church Organ", [48, 70]) { name, key in
    let tone = SteadyTone(
      level: { number, hertz in
        let ranks: [(Int, Double)] = [(1, 0.7), (2, 1), (4, 0.8), (6, 0.35), (8, 0.55), (12, 0.25)]
        return ranks.reduce(0) { sum, rank in
          guard number.isMultiple(of: rank.0) else { return sum }
          return sum + rank.1 * Spectrum.falling(number / rank.0, 1.7)
        } * Spectrum.below(5_500)(hertz)
      }, spread: 4, breath: Spectrum.band(300, 3_500, 0.004), attack: 0.07, brightening: 0.6,
      chiff: 6, sampleRate: 24_000, loopLength: 8_192)
    var recording = tone.record(name, key: key - 12)
    recording.key = key
    return recording
  }

  /// A free reed: a strong buzz, shaped by its chamber.
  private static func reed(
    _ name: String, _ keys: [Int], spread: Double, tilt: Double, attack: Double,
    _ box: @escaping (Double) -> Double, beats: [(ratio: Double, amplitude: Double)] = [],
    loopLength: Int
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      SteadyTone(
        level: { Spectrum.falling($0, tilt) * box($1) }, spread: spread,
        breath: Spectrum.band(500, 4_000, 0.003), attack: attack, brightening: 1.3, chiff: 1,
        companions: beats, sampleRate: 24_000, loopLength: loopLength
      ).record(name, key: key)
    }
  }

  static let harmonium = reed(
    "Harmonium", [59], spread: 3, tilt: 0.9, attack: 0.08,
    Spectrum.resonances([(450, 500, 0), (1_300, 900, -4), (2_800, 1_200, -9)], floor: -24),
    loopLength: 4_096)

  /// Played by two layers 14 cents apart: the beating of two reeds is the musette's tremolo.
  static let accordion = reed(
    "Accordion", [52, 70], spread: 2, tilt: 0.75, attack: 0.05,
    Spectrum.resonances([(500, 600, 0), (1_500, 900, -1), (3_000, 1_500, -5)], floor: -22),
    loopLength: 4_096)

  static let harmonica = reed(
    "Harmonica", [71], spread: 2, tilt: 0.6, attack: 0.06,
    Spectrum.resonances([(700, 500, 0), (1_900, 800, 1), (3_200, 1_000, -2)], floor: -20),
    loopLength: 4_096)

  static let bandoneon = reed(
    "Bandoneon", [48, 64], spread: 5, tilt: 0.7, attack: 0.045,
    Spectrum.resonances([(600, 500, 0), (1_200, 700, 0), (2_600, 1_400, -6)], floor: -22),
    loopLength: 4_096)
}
