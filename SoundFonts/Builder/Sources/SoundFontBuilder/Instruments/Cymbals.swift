/// The cymbals of the kit.
extension Drums {
  /// Plates clapped together: a dense crowd of modes and a hiss, all above 300 Hz.
  private static func hat(
    _ name: String, decay: Double, level: Double, onset: Double = 0.0008, length: Double
  ) -> Recording {
    strike(
      name, level: level,
      DecayingTone(
        modes: StruckBody.plate(
          2_500...15_500, count: 120, decay: { decay * (1.15 - $0 / 40_000) },
          shape: Spectrum.band(6_000, 13_000, 0.1), seed: "Hats"),
        noise: [
          NoiseBurst(band: 6_000...15_500, amplitude: 0.8, decay: decay * 0.9, attack: onset),
          NoiseBurst(band: 1_000...7_000, amplitude: 0.5, decay: 0.016, attack: onset),
        ], onset: onset, sampleRate: 36_000, length: length, loopLength: 0))
  }

  static let closedHat = hat("Closed Hat", decay: 0.2, level: -12, length: 0.19)
  static let pedalHat = hat("Pedal Hat", decay: 0.13, level: -13, onset: 0.006, length: 0.14)

  /// - Parameters:
  ///   - low: Hertz where the plate's sound begins.
  ///   - ping: Level of the stick.
  private static func cymbal(
    _ name: String, low: Double, top: Double, decay: Double, wash: Double, ping: [Mode],
    stick: Double, level: Double,
    loopLength: Int = 8_192
  ) -> Recording {
    strike(
      name, level: level,
      DecayingTone(
        modes: StruckBody.plate(
          low...15_000, count: 260, decay: { decay / (0.6 + $0 / 7_000) },
          shape: Spectrum.band(low * 1.6, top, wash), seed: name) + ping,
        noise: [
          NoiseBurst(band: 2_500...15_000, amplitude: stick, decay: 0.03),
          NoiseBurst(band: 4_000...15_500, amplitude: stick * 0.5, decay: 0.35, attack: 0.008),
        ], onset: 0.0015, beating: 0.2, sampleRate: 32_000, length: 0.34,
        loopLength: loopLength))
  }

  static let openHat = cymbal(
    "Open Hat", low: 1_800, top: 13_000, decay: 1.9, wash: 0.25, ping: [], stick: 0.8, level: -12)
  static let crash = cymbal(
    "Crash", low: 330, top: 9_000, decay: 2.6, wash: 0.2, ping: [], stick: 1.2, level: -3,
    loopLength: 16_384)
  static let ride = cymbal(
    "Ride", low: 420, top: 8_000, decay: 2.6, wash: 0.05,
    ping: StruckBody.modes(
      [1, 1.31, 1.93, 2.6, 3.4], hertz: 2_150, levels: [-10, -8, -10, -12, -14], decay: 0.9,
      damping: 0.4), stick: 0.9, level: -10)
  static let rideBell = cymbal(
    "Ride Bell", low: 500, top: 7_000, decay: 3, wash: 0.02,
    ping: StruckBody.modes(
      [1, 1.52, 2.4, 3.3, 4.6], hertz: 760, levels: [-4, -2, 0, -4, -8], decay: 2.2, damping: 0.4),
    stick: 0.4, level: -10,
    loopLength: 4_096)
}
