import RenderCore

/// What a host can set of a metronome.
///
/// What a click is like is settled on the frame on which it begins.
enum MetronomeParameter: Int, CaseIterable {
  /// Of a beat's click: the height of its envelope, in dB of full scale. The parts of a beat are 6 dB below.
  case level
  /// Of a bar's first click.
  case accentLevel
  case pitch
  case accentPitch
  /// Whether there are clicks before the song's beginning.
  case countIn
  /// Into how many parts each beat is divided.
  case subdivision
  /// Whether it clicks where the host says nothing of beats.
  case freeRun
  /// Beats per minute, four to a bar.
  case freeTempo
  /// Whether there are clicks from the song's beginning on.
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
  /// The value at the frame that has been reached.
  @_noLocks subscript(_ parameter: MetronomeParameter) -> Float {
    @_noLocks get { self[parameter.rawValue] }
  }
}
