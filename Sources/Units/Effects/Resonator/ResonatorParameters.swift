import RenderCore

/// The parameters of a resonator, in the order of its parameter tree.
enum ResonatorParameter: Int, CaseIterable {
  case decay, damping, gain, mix

  /// The index in ``ParameterValues``.
  var index: Int { @_noLocks get { rawValue } }

  static let tree = ParameterTree(allCases.map(\.parameter))

  private var parameter: Parameter {
    switch self {
    case .decay:
      Parameter("decay", "Decay", 0.05...20, default: 2, unit: .seconds, scale: .logarithmic)
    case .damping:
      Parameter(
        "damping", "Damping", 200...20_000, default: 6000, unit: .hertz, scale: .logarithmic)
    case .gain: Parameter("gain", "Gain", -24...24, default: 0, unit: .decibels)
    case .mix: Parameter("mix", "Mix", 0...100, default: 50, unit: .percent)
    }
  }
}

extension ParameterValues {
  @_noLocks subscript(parameter: ResonatorParameter) -> Float { self[parameter.index] }
}
