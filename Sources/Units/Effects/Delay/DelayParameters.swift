import RenderCore

/// The parameters of a delay, in the order of its parameter tree.
enum DelayParameter: Int, CaseIterable {
  case sync, beats, milliseconds, feedback, tone, pingPong, width, mix

  /// The index in ``ParameterValues``.
  var index: Int { @_noLocks get { rawValue } }

  static let tree = ParameterTree(
    allCases.map(\.parameter), groups: [ParameterTree.Group("time", "Time")])

  private var parameter: Parameter {
    switch self {
    case .sync: Parameter(toggle: "time.sync", "Sync", default: true)
    case .beats:
      Parameter(
        "time.beats", "Time in Beats", 0.0625...8, default: 0.5, unit: .beats, scale: .logarithmic)
    case .milliseconds:
      Parameter(
        "time.ms", "Time", 1...4000, default: 350, unit: .milliseconds, scale: .logarithmic)
    case .feedback: Parameter("feedback", "Feedback", 0...98, default: 40, unit: .percent)
    case .tone:
      Parameter("tone", "Tone", 200...20_000, default: 6000, unit: .hertz, scale: .logarithmic)
    case .pingPong: Parameter(toggle: "ping-pong", "Ping-Pong", default: false)
    case .width: Parameter("width", "Width", 0...100, default: 100, unit: .percent)
    case .mix: Parameter("mix", "Mix", 0...100, default: 35, unit: .percent)
    }
  }
}

extension ParameterValues {
  @_noLocks subscript(parameter: DelayParameter) -> Float { self[parameter.index] }
}

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
