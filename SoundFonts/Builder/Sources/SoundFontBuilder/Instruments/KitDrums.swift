/// The drums of the kit, and what is struck or clapped like them.
extension Drums {
  /// A stroke recorded to its end, or into its loop.
  static func strike(_ name: String, level: Double = 0, _ tone: DecayingTone) -> Recording {
    tone.record(name, key: 60).scaled(to: commonLoudness + level)
  }

  /// Not a whole wave of a note but a beater, a shell and the air in it.
  private static func bassDrum(
    _ name: String, hertz: Double, decay: Double, click: Double
  ) -> Recording {
    strike(
      name, level: 5,
      DecayingTone(
        modes: [
          Mode(hertz: hertz, amplitude: 1, decay: decay),
          Mode(hertz: hertz * 1.59, amplitude: 0.35, decay: decay * 0.5),
          Mode(hertz: hertz * 2.3, amplitude: 0.2, decay: decay * 0.3),
          Mode(hertz: hertz * 3.2, amplitude: 0.14, decay: decay * 0.2),
        ],
        noise: [
          NoiseBurst(band: 1_200...5_500, amplitude: click, decay: 0.018),
          NoiseBurst(band: 120...700, amplitude: 0.35, decay: 0.06),
        ], onset: 0.001, glide: (2.6, 0.022), sampleRate: 22_000, length: 0.45, loopLength: 0))
  }

  static let deepKick = bassDrum("Bass Drum 2", hertz: 46, decay: 0.5, click: 0.35)
  static let kick = bassDrum("Bass Drum 1", hertz: 56, decay: 0.36, click: 0.7)

  /// Two heads, the shell, and wires that answer with noise.
  private static func snareDrum(
    _ name: String, hertz: Double, ring: Double, wires: Double, decay: Double
  ) -> Recording {
    strike(
      name, level: 3,
      DecayingTone(
        modes: [
          Mode(hertz: hertz, amplitude: 1, decay: ring),
          Mode(hertz: hertz * 1.59, amplitude: 0.7, decay: ring * 0.8),
          Mode(hertz: hertz * 1.85, amplitude: 0.6, decay: ring * 0.7),
          Mode(hertz: hertz * 2.3, amplitude: 0.3, decay: ring * 0.5),
          Mode(hertz: hertz * 3.1, amplitude: 0.2, decay: ring * 0.4),
        ],
        noise: [
          NoiseBurst(band: 900...9_000, amplitude: wires, decay: decay),
          NoiseBurst(band: 3_500...14_000, amplitude: wires * 0.6, decay: decay * 1.2),
          NoiseBurst(band: 500...12_000, amplitude: wires * 1.2, decay: 0.018),
        ], onset: 0.0006, glide: (1.25, 0.015), sampleRate: 34_000, length: 0.38, loopLength: 0))
  }

  static let snare = snareDrum("Snare", hertz: 186, ring: 0.26, wires: 0.6, decay: 0.3)
  static let tightSnare = snareDrum("Tight Snare", hertz: 235, ring: 0.16, wires: 0.9, decay: 0.2)

  static let sideStick = strike(
    "Side Stick",
    DecayingTone(
      modes: StruckBody.modes(
        [1, 1.7, 2.6, 3.7, 5.1], hertz: 480, levels: [-6, 0, -2, -6, -12], decay: 0.09,
        damping: 0.4),
      noise: [NoiseBurst(band: 1_000...8_000, amplitude: 1, decay: 0.012)], onset: 0.0005,
      sampleRate: 32_000, length: 0.13, loopLength: 0))

  /// A few hands within 30 ms of each other, then the room.
  static let clap = strike(
    "Hand Clap", level: 1,
    DecayingTone(
      modes: [],
      noise: [0, 0.011, 0.021].map {
        NoiseBurst(band: 800...3_500, amplitude: 0.9, decay: 0.02, delay: $0)
      } + [
        NoiseBurst(band: 800...3_500, amplitude: 1, decay: 0.22, delay: 0.031),
        NoiseBurst(band: 3_000...9_000, amplitude: 0.2, decay: 0.12, delay: 0.031),
      ], sampleRate: 26_000, length: 0.3, loopLength: 0))

  private static func tom(_ name: String, hertz: Double, decay: Double) -> Recording {
    strike(
      name, level: 3,
      DecayingTone(
        modes: StruckBody.modes(
          StruckBody.skin, hertz: hertz, levels: [0, -6, -11, -13, -15, -18, -20, -22, -24],
          decay: decay, damping: 0.9),
        noise: [
          NoiseBurst(band: 250...2_500, amplitude: 0.5, decay: 0.05),
          NoiseBurst(band: 2_000...7_000, amplitude: 0.25, decay: 0.02),
        ], onset: 0.001, glide: (1.35, 0.045), sampleRate: 16_000, length: decay * 0.85,
        loopLength: 0))
  }

  static let lowTom = tom("Low Tom", hertz: 74, decay: 1.1)
  static let midTom = tom("Mid Tom", hertz: 110, decay: 0.9)
  static let highTom = tom("High Tom", hertz: 152, decay: 0.75)
}
