/// The standard kit: bank 128, program 0, keys 35...81 of General MIDI.
enum Drums {
  /// One key of the kit.
  struct Piece: Sendable {
    var key: Int
    var recording: Recording
    /// -1 left, 1 right, as the audience sees a kit.
    var pan: Double
    /// Cents by which a recording shared with another key is moved.
    var detune = 0.0
    /// Pieces of one class cut each other off; 0 is none.
    var exclusiveClass = 0
    /// Seconds to fall by 60 dB, where it is not the recording's own.
    var decay: Double?
    var attenuation = 0.0
    var reverb = 0.12
  }

  static let pieces: [Piece] = [
    Piece(key: 35, recording: deepKick, pan: 0, reverb: 0.03),
    Piece(key: 36, recording: kick, pan: 0, reverb: 0.03),
    Piece(key: 37, recording: sideStick, pan: -0.05),
    Piece(key: 38, recording: snare, pan: -0.05),
    Piece(key: 39, recording: clap, pan: 0.1),
    Piece(key: 40, recording: tightSnare, pan: -0.05),
    Piece(key: 41, recording: lowTom, pan: 0.45),
    Piece(key: 42, recording: closedHat, pan: -0.35, exclusiveClass: 1, reverb: 0.05),
    Piece(key: 43, recording: lowTom, pan: 0.32, detune: 250),
    Piece(key: 44, recording: pedalHat, pan: -0.35, exclusiveClass: 1, reverb: 0.05),
    Piece(key: 45, recording: midTom, pan: 0.18, detune: -150),
    Piece(key: 46, recording: openHat, pan: -0.35, exclusiveClass: 1, reverb: 0.08),
    Piece(key: 47, recording: midTom, pan: 0.05, detune: 150),
    Piece(key: 48, recording: highTom, pan: -0.1, detune: -150),
    Piece(key: 49, recording: crash, pan: -0.3),
    Piece(key: 50, recording: highTom, pan: -0.25, detune: 150),
    Piece(key: 51, recording: ride, pan: 0.35),
    Piece(key: 52, recording: crash, pan: 0.3, detune: -600, decay: 0.9),
    Piece(key: 53, recording: rideBell, pan: 0.35),
    Piece(key: 54, recording: tambourine, pan: 0.2),
    Piece(key: 55, recording: crash, pan: -0.15, detune: 500, decay: 0.7),
    Piece(key: 56, recording: cowbell, pan: 0.25),
    Piece(key: 57, recording: crash, pan: 0.35, detune: -250),
    Piece(key: 58, recording: vibraslap, pan: 0.3),
    Piece(key: 59, recording: ride, pan: 0.4, detune: 180),
    Piece(key: 60, recording: bongo, pan: 0.4, detune: 500),
    Piece(key: 61, recording: bongo, pan: 0.5),
    Piece(key: 62, recording: mutedConga, pan: -0.4),
    Piece(key: 63, recording: conga, pan: -0.35, detune: 300),
    Piece(key: 64, recording: conga, pan: -0.45),
    Piece(key: 65, recording: timbale, pan: 0.2, detune: 500),
    Piece(key: 66, recording: timbale, pan: 0.3),
    Piece(key: 67, recording: agogo, pan: -0.4, detune: 500),
    Piece(key: 68, recording: agogo, pan: -0.4),
    Piece(key: 69, recording: cabasa, pan: -0.45),
    Piece(key: 70, recording: maracas, pan: -0.5),
    Piece(key: 71, recording: shortWhistle, pan: 0.3, exclusiveClass: 2),
    Piece(key: 72, recording: longWhistle, pan: 0.3, exclusiveClass: 2),
    Piece(key: 73, recording: shortGuiro, pan: 0.35, exclusiveClass: 3),
    Piece(key: 74, recording: longGuiro, pan: 0.35, exclusiveClass: 3),
    Piece(key: 75, recording: claves, pan: 0.25),
    Piece(key: 76, recording: woodBlock, pan: 0.4, detune: 400),
    Piece(key: 77, recording: woodBlock, pan: 0.4),
    Piece(key: 78, recording: mutedCuica, pan: -0.3, exclusiveClass: 4),
    Piece(key: 79, recording: openCuica, pan: -0.3, exclusiveClass: 4),
    Piece(key: 80, recording: triangle, pan: -0.4, exclusiveClass: 5, decay: 0.3),
    Piece(key: 81, recording: triangle, pan: -0.4, exclusiveClass: 5),
  ]

  private static func strike(_ name: String, level: Double = 0, _ tone: DecayingTone) -> Recording {
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
