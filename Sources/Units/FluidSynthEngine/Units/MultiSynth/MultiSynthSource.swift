public import RenderCore

/// Creates instruments with an output for each MIDI channel and one for the effects.
///
/// The format has 34 output channels: the dry sound of MIDI channel k, counted from 0, is in the channels 2k (left) and
/// 2k + 1 (right), and reverb and chorus of all MIDI channels are in the channels 32 and 33.
///
/// Parameters, presets, state and onsets are those of ``InstrumentUnit``; its gain applies to all channels. The even
/// channels add up to its left channel and the odd ones to its right channel, within the rounding of 32-bit addition.
///
/// In `exact` timing, the output of a MIDI channel has the bits of an ``InstrumentUnit`` that plays only this MIDI
/// channel without effects, unless notes are stolen or have no lane, and no output depends on the division into cycles.
/// In `stock` timing, all voices share one synth, in which the first 64 frames of a note depend on the note before it
/// in its voice slot.
///
/// If FluidSynth does not expose its effect sends (``LibraryCapabilities``), each note's effects are in the channels of
/// its MIDI channel.
public struct MultiSynthSource: RenderUnitSource {
  private let instrument: InstrumentSource

  /// The number of output channels: 34.
  public static let outputChannels = ChannelOutputs.count

  /// - Parameters:
  ///   - soundFont: The SoundFont that the instruments play.
  ///   - settings: The settings of the instruments. The rate and the maximum cycle length are ignored; they follow
  ///     from the host's format. Each unit starts ``InstrumentSettings/threads`` − 1 threads of its own in `exact`.
  public init(soundFont: SoundFont, settings: InstrumentSettings = InstrumentSettings()) {
    instrument = InstrumentSource(soundFont: soundFont, settings: settings)
  }

  /// Loads the SoundFont now rather than with the first unit, and checks that it has the preset.
  ///
  /// - Throws: ``InstrumentError``.
  public func check() throws(InstrumentError) { try instrument.check() }

  /// Creates an instrument.
  ///
  /// - Throws: ``FormatError`` unless `format` has ``outputChannels`` channels and a rate of 8000…96000 Hz;
  ///   ``InstrumentError``.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    var settings = try instrument.settings(for: format, outputChannels: Self.outputChannels)
    settings.separatesChannels = true
    return try InstrumentUnit(soundFont: instrument.soundFont, settings: settings)
  }
}
