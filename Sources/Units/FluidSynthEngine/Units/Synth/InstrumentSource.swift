public import RenderCore

/// Creates instruments for a port, each in the format that its host requests.
public struct InstrumentSource: RenderUnitSource {
  public let soundFont: SoundFont
  public let settings: InstrumentSettings

  /// - Parameters:
  ///   - soundFont: The SoundFont that the instruments play.
  ///   - settings: The settings of the instruments. The rate and the maximum cycle length are ignored; they follow
  ///     from the host's format. Each unit starts ``InstrumentSettings/threads`` − 1 threads of its own in `exact`.
  public init(soundFont: SoundFont, settings: InstrumentSettings = InstrumentSettings()) {
    self.soundFont = soundFont
    self.settings = settings
  }

  /// Loads the SoundFont now rather than with the first unit, and checks that it has the preset.
  ///
  /// - Throws: ``InstrumentError``.
  public func check() throws(InstrumentError) { try soundFont.check(settings.preset) }

  /// Creates an instrument.
  ///
  /// - Throws: ``FormatError`` unless `format` has two channels and a rate of 8000…96000 Hz; ``InstrumentError``.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try InstrumentUnit(soundFont: soundFont, settings: try settings(for: format))
  }

  /// Returns the settings with the rate and the maximum cycle length of a host's format.
  ///
  /// - Parameter outputChannels: The number of channels that `format` must have.
  /// - Throws: ``FormatError`` unless `format` has these channels and a supported rate.
  func settings(
    for format: Format, outputChannels: Int = 2
  ) throws(FormatError) -> InstrumentSettings {
    try Format.check(
      "outputChannels", format.outputChannels, in: outputChannels...outputChannels)
    try Format.check("sampleRate", format.sampleRate, in: InstrumentSettings.rates)
    var settings = settings
    settings.rate = format.sampleRate
    settings.maximumFrames = format.maximumFrames
    settings.startsHelpers = settings.timing == .exact
    return settings
  }
}
