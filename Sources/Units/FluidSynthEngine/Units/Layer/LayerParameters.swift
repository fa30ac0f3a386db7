import RenderCore

/// The indices and definitions of the parameters that a layer has in addition to those of its instrument.
struct LayerParameters: BitwiseCopyable {
  let inputLevel: Int
  let amount: Int
  let attack: Int
  let release: Int

  /// - Parameter first: The number of parameters that precede them.
  init(after first: Int) {
    inputLevel = first
    amount = first + 1
    attack = first + 2
    release = first + 3
  }

  static let groups = [
    ParameterTree.Group("input", "Input"), ParameterTree.Group("duck", "Ducking"),
  ]

  /// The parameters in the order of their indices.
  static let parameters = [
    Parameter("input.level", "Level", -96...24, default: 0, unit: .decibels),
    Parameter("duck.amount", "Amount", 0...24, default: 0, unit: .decibels),
    Parameter(
      "duck.attack", "Attack", 0.1...500, default: 5, unit: .milliseconds, scale: .logarithmic),
    Parameter(
      "duck.release", "Release", 1...5000, default: 200, unit: .milliseconds, scale: .logarithmic),
  ]
}
