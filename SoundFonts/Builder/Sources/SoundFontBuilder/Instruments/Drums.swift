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
}
