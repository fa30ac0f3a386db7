import RenderCore

/// The parameters that a layer has besides those of its instrument.
struct LayerParameters: BitwiseCopyable {
  let inputLevel: Int
  let amount: Int
  let attack: Int
  let release: Int

  /// - Parameter first: How many parameters come before.
  init(after first: Int) {
    inputLevel = first
    amount = first + 1
    attack = first + 2
    release = first + 3
  }

  static let groups = [
    ParameterTree.Group("input", "Input"), ParameterTree.Group("duck", "Ducking"),
  ]

  /// In the order of their numbers.
  static let parameters = [
    Parameter("input.level", "Level", -96...24, default: 0, unit: .decibels),
    Parameter("duck.amount", "Amount", 0...24, default: 0, unit: .decibels),
    Parameter(
      "duck.attack", "Attack", 0.1...500, default: 5, unit: .milliseconds, scale: .logarithmic),
    Parameter(
      "duck.release", "Release", 1...5000, default: 200, unit: .milliseconds, scale: .logarithmic),
  ]
}
