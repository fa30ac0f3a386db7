import RenderCore

/// The parameters of a metronome.
///
/// A click uses the values at its first frame.
enum MetronomeParameter: Int, CaseIterable {
  /// The level of a beat's click: the peak of its envelope, in dBFS. Subdivisions of a beat are 6 dB lower.
  case level
  /// The level of the first click of a bar.
  case accentLevel
  case pitch
  case accentPitch
  /// Whether there are clicks before the start of the song.
  case countIn
  /// The number of clicks per beat, minus 1.
  case subdivision
  /// Whether the metronome clicks while the host provides no beats.
  case freeRun
  /// The tempo without a host, in beats per minute; four beats per bar.
  case freeTempo
  /// Whether there are clicks from the start of the song on.
  case song

  static var tree: ParameterTree {
    ParameterTree(
      allCases.map(\.parameter),
      groups: [.init("accent", "First beat of a bar"), .init("free", "Without a host's beats")])
  }

  private var parameter: Parameter {
    switch self {
    case .level: Parameter("level", "Level", -60...0, default: -12, unit: .decibels)
    case .accentLevel: Parameter("accent.level", "Level", -60...0, default: -6, unit: .decibels)
    case .pitch:
      Parameter("pitch", "Pitch", 200...5000, default: 1000, unit: .hertz, scale: .logarithmic)
    case .accentPitch:
      Parameter(
        "accent.pitch", "Pitch", 200...5000, default: 1500, unit: .hertz, scale: .logarithmic)
    case .song: Parameter(toggle: "song", "In the song", default: true)
    case .countIn: Parameter(toggle: "count-in", "Count-in", default: false)
    case .subdivision:
      Parameter(
        choice: "subdivision", "Clicks per beat", of: ["1", "2", "3", "4"], default: 0)
    case .freeRun: Parameter(toggle: "free.run", "Clicks", default: false)
    case .freeTempo: Parameter("free.tempo", "Tempo, beats per minute", 20...400, default: 120)
    }
  }
}

extension ParameterValues {
  @_noLocks subscript(parameter: MetronomeParameter) -> Float { self[parameter.rawValue] }
}
