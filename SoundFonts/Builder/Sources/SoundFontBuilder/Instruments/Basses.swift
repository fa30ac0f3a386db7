/// Programs 32...39: plucked, slapped and synthetic basses.
enum Basses {
  static let programs: [Program] = [
    Program("Acoustic Bass", acoustic, Articulation(release: 0.15, softness: 2_400, reverb: 0.08)),
    Program("Finger Bass", finger, Articulation(release: 0.12, softness: 2_600, reverb: 0.03)),
    Program("Pick Bass", pick, Articulation(release: 0.12, softness: 2_200, reverb: 0.03)),
    Program(
      "Fretless Bass", fretless,
      Articulation(
        release: 0.15, softness: 2_000, vibrato: .init(depth: 7, hertz: 4.8, delay: 0.35),
        scoop: (cents: -30, time: 0.12), reverb: 0.05, chorus: 0.1)),
    Program("Slap Bass 1", slap, Articulation(release: 0.1, softness: 2_600, reverb: 0.03)),
    Program(
      "Slap Bass 2", pop, Articulation(release: 0.1, softness: 2_000, reverb: 0.03, chorus: 0.05)),
    Program(
      "Synth Bass 1", saw,
      Articulation(
        decay: 6, sustain: 12, release: 0.1, cutoff: 420, softness: 1_800, resonance: 5,
        sweep: .init(cents: 4_200, attack: 0.001, decay: 0.55, sustain: 0.1), reverb: 0.02)),
    Program(
      "Synth Bass 2", square,
      Articulation(
        decay: 8, sustain: 12, release: 0.1, cutoff: 500, softness: 1_800, resonance: 3,
        sweep: .init(cents: 2_800, attack: 0.001, decay: 0.3, sustain: 0.2), reverb: 0.02)),
  ]

  static let acoustic = recordings("Acoustic Bass", [31, 43], level: 2) { name, key in
    PluckedString(
      position: 0.3, brightness: 650, tilt: 0.8, decay: 6, damping: 420, stiffness: 0.00005,
      body: Spectrum.resonances(
        [(65, 40, 3), (110, 60, 4), (240, 160, 2), (650, 500, 0)], floor: -7),
      noise: [NoiseBurst(band: 200...1_600, amplitude: 0.22, decay: 0.035)],
      knock: [(62, 0.15, 0.15), (115, 0.2, 0.12), (225, 0.1, 0.07)], sampleRate: 14_000,
      length: 0.6, loopLength: 1_024
    ).tone(key: key).record(name, key: key)
  }

  private static func electric(
    _ name: String, _ keys: [Int] = [31, 45], position: Double, pickup: Double, brightness: Double,
    tilt: Double,
    decay: Double, damping: Double, noise: [NoiseBurst], rate: Double = 16_000
  ) -> [Recording] {
    recordings(name, keys, level: 2) { name, key in
      PluckedString(
        position: position, pickup: pickup, brightness: brightness, tilt: tilt, decay: decay,
        damping: damping, stiffness: 0.00006, noise: noise, sampleRate: rate, length: 0.45,
        loopLength: 1_024
      ).tone(key: key).record(name, key: key)
    }
  }

  static let finger = electric(
    "Finger Bass", position: 0.22, pickup: 0.19, brightness: 900, tilt: 0.6, decay: 9,
    damping: 700, noise: [NoiseBurst(band: 300...2_000, amplitude: 0.08, decay: 0.02)])
  static let pick = electric(
    "Pick Bass", position: 0.12, pickup: 0.16, brightness: 2_200, tilt: 0.5, decay: 8,
    damping: 1_000, noise: [NoiseBurst(band: 1_200...5_000, amplitude: 0.16, decay: 0.012)])
  static let fretless = electric(
    "Fretless Bass", position: 0.28, pickup: 0.11, brightness: 750, tilt: 0.35, decay: 9,
    damping: 900, noise: [NoiseBurst(band: 200...900, amplitude: 0.05, decay: 0.03)])
  static let slap = electric(
    "Slap Bass", position: 0.06, pickup: 0.14, brightness: 3_800, tilt: 0.35, decay: 7,
    damping: 1_100,
    noise: [
      NoiseBurst(band: 1_800...8_000, amplitude: 0.5, decay: 0.02),
      NoiseBurst(band: 200...900, amplitude: 0.2, decay: 0.03),
    ], rate: 22_000)
  static let pop = electric(
    "Pop Bass", [36], position: 0.05, pickup: 0.1, brightness: 5_500, tilt: 0.25, decay: 7,
    damping: 1_500, noise: [NoiseBurst(band: 2_500...9_000, amplitude: 0.6, decay: 0.03)],
    rate: 22_000)

  private static func wave(_ name: String, _ level: @escaping (Int) -> Double) -> [Recording] {
    recordings(name, [28, 43, 58], level: 2) { name, key in
      SteadyTone(
        level: { number, _ in level(number) }, spread: 0, attack: 0.003, brightening: 1,
        sampleRate: 22_000, loopLength: 1_024
      ).record(name, key: key)
    }
  }

  static let saw = wave("Saw Bass") { Spectrum.falling($0, 1) }
  static let square = wave("Square Bass") {
    $0.isMultiple(of: 2) ? 0.1 * Spectrum.falling($0, 1) : Spectrum.falling($0, 1)
  }
}
