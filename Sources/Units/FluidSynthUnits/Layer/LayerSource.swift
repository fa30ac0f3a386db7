public import FluidSynthEngine
public import RenderCore

/// Makes layers for a port, each for the format that its host asks for.
public struct LayerSource: RenderUnitSource {
  private let instrument: InstrumentSource

  /// - Parameter settings: Rate, longest cycle and threads are the host's, whatever is said here.
  public init(soundFont: SoundFont, settings: InstrumentSettings = InstrumentSettings()) {
    instrument = InstrumentSource(soundFont: soundFont, settings: settings)
  }

  /// Loads the SoundFont now rather than with the first unit, and looks whether it has the preset.
  ///
  /// - Throws: ``InstrumentError``.
  public func check() throws(InstrumentError) { try instrument.check() }

  /// - Throws: ``FormatError`` unless it has one or two channels of input, two of output, and a rate of 8000 to
  ///   96000; ``InstrumentError``.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    guard (1...2).contains(format.inputChannels) else {
      throw FormatError(field: "inputChannels", value: format.inputChannels, allowed: 1...2)
    }
    return try LayerUnit(
      soundFont: instrument.soundFont, settings: try instrument.settings(for: format),
      format: format)
  }
}
