public import FluidSynthEngine
public import RenderCore

/// Makes instruments for a port, each for the format that its host asks for.
public struct InstrumentSource: RenderUnitSource {
  public let soundFont: SoundFont
  public let settings: InstrumentSettings

  /// - Parameter settings: Rate, longest cycle and threads are the host's, whatever is said here.
  public init(soundFont: SoundFont, settings: InstrumentSettings = InstrumentSettings()) {
    self.soundFont = soundFont
    self.settings = settings
  }

  /// Loads the SoundFont now rather than with the first unit, and looks whether it has the preset.
  ///
  /// - Throws: ``InstrumentError``.
  public func check() throws(InstrumentError) { try soundFont.check(settings.preset) }

  /// - Throws: ``FormatError`` unless it has two channels and a rate of 8000 to 96000; ``InstrumentError``.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try InstrumentUnit(soundFont: soundFont, settings: try settings(for: format))
  }

  /// The settings in a host's format.
  func settings(for format: Format) throws(FormatError) -> InstrumentSettings {
    guard format.channels == 2 else {
      throw FormatError(field: "channels", value: format.channels, allowed: 2...2)
    }
    let rates = InstrumentSettings.rates
    guard rates.contains(format.sampleRate) else {
      throw FormatError(field: "sampleRate", value: format.sampleRate, allowed: rates)
    }
    var settings = settings
    settings.rate = format.sampleRate
    settings.maximumFrames = format.maximumFrames
    settings.threads = 1
    return settings
  }
}
