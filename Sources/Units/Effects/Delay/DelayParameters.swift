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
