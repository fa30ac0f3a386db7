import RenderCore

extension DelayUnit {
  static let factoryPresets = [
    preset("Eighths", beats: 0.5, feedback: 40, tone: 6000, mix: 35),
    preset("Dotted Eighths", beats: 0.75, feedback: 45, tone: 5000, mix: 40),
    preset("Ping-Pong Quarters", beats: 1, feedback: 55, tone: 6000, isPingPong: true, mix: 40),
    preset("Half-Note Canon", beats: 2, feedback: 0, tone: 20_000, mix: 50),
    preset("Wide Haze", beats: 1.5, feedback: 80, tone: 2000, isPingPong: true, mix: 30),
    preset("Slapback", milliseconds: 110, feedback: 10, tone: 5000, mix: 30),
    preset("Doubling", milliseconds: 24, feedback: 0, tone: 20_000, mix: 50),
    preset("Worn Tape", milliseconds: 420, feedback: 75, tone: 1500, width: 60, mix: 35),
  ]

  /// Creates a preset of all parameters. The time is in beats, unless `milliseconds` is given.
  private static func preset(
    _ name: String, beats: Float = 0.5, milliseconds: Float? = nil, feedback: Float, tone: Float,
    isPingPong: Bool = false, width: Float = 100, mix: Float
  ) -> Preset {
    Preset(
      name,
      [
        "time.sync": milliseconds == nil ? 1 : 0, "time.beats": beats,
        "time.ms": milliseconds ?? 350, "feedback": feedback, "tone": tone,
        "ping-pong": isPingPong ? 1 : 0, "width": width, "mix": mix,
      ])
  }
}
