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

extension ResonatorUnit {
  static let factoryPresets = [
    preset("Sympathetic Strings", decay: 3, damping: 6000, gain: 0, mix: 40),
    preset("Harp in the Room", decay: 8, damping: 9000, gain: 0, mix: 60),
    preset("Felt", decay: 1.5, damping: 1200, gain: 3, mix: 60),
    preset("Bamboo", decay: 0.25, damping: 3000, gain: 6, mix: 70),
    preset("Glass", decay: 12, damping: 20_000, gain: -3, mix: 80),
    preset("Only the Chord", decay: 4, damping: 5000, gain: 0, mix: 100),
  ]

  private static func preset(
    _ name: String, decay: Float, damping: Float, gain: Float, mix: Float
  ) -> Preset {
    Preset(name, ["decay": decay, "damping": damping, "gain": gain, "mix": mix])
  }
}
