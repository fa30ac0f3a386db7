public import RenderCore

/// Creates layers for a port, each in the format that its host requests.
public struct LayerSource: RenderUnitSource {
  private let instrument: InstrumentSource

  /// - Parameters:
  ///   - soundFont: The SoundFont that the layers play.
  ///   - settings: The settings of the instruments. The rate and the maximum cycle length are ignored; they follow
  ///     from the host's format. Each unit starts ``InstrumentSettings/threads`` − 1 threads of its own in `exact`.
  public init(soundFont: SoundFont, settings: InstrumentSettings = InstrumentSettings()) {
    instrument = InstrumentSource(soundFont: soundFont, settings: settings)
  }

  /// Loads the SoundFont now rather than with the first unit, and checks that it has the preset.
  ///
  /// - Throws: ``InstrumentError``.
  public func check() throws(InstrumentError) { try instrument.check() }

  /// Creates a layer.
  ///
  /// - Throws: ``FormatError`` unless `format` has one or two input channels, two output channels, and a rate of
  ///   8000…96000 Hz; ``InstrumentError``.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try Format.check("inputChannels", format.inputChannels, in: 1...2)
    return try LayerUnit(
      soundFont: instrument.soundFont, settings: try instrument.settings(for: format),
      format: format)
  }
}

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
    Parameter("input.level", "Input Level", -96...24, default: 0, unit: .decibels),
    Parameter("duck.amount", "Amount", 0...24, default: 0, unit: .decibels),
    Parameter(
      "duck.attack", "Attack", 0.1...500, default: 5, unit: .milliseconds, scale: .logarithmic),
    Parameter(
      "duck.release", "Release", 1...5000, default: 200, unit: .milliseconds, scale: .logarithmic),
  ]
}
