import RenderCore

/// A plain FluidSynth. Its output is bit-identical to that of a program that calls `fluid_synth_write_float` up to the
/// frame of each event, then makes the call of the event, and ends a call at the end of each cycle.
///
/// The division into calls must be the same. FluidSynth sums its voices and effects over as many blocks as a call
/// requests, so another division may round differently. With calls of 64 frames, as `fluidsynth -F` makes, the output
/// of 5 of 28 songs differed, by up to 3e-14 of full scale. For the same reason the division into cycles may change the
/// output by as much, which it does not with ``ExactInstrument``.
///
/// System Exclusive messages and bank selects have the meaning of ``BankStyle``. With ``BankStyle/library`` they are given to
/// FluidSynth as they are, as that program would.
///
/// A note begins at FluidSynth's next block, 0 to 63 frames late.
///
/// `@unchecked Sendable`: as ``Instrument``.
public final class StockInstrument: Instrument, @unchecked Sendable {
  /// Loads the SoundFont, if it is not loaded yet.
  ///
  /// - Throws: ``InstrumentError``.
  public init(soundFont: SoundFont, settings: InstrumentSettings) throws(InstrumentError) {
    try settings.validate()
    let (font, memory) = (try PlayedSoundFont(soundFont, settings), RenderMemory())
    memory.keep(font)
    let state = memory.make(try StockState(font, settings: settings, in: memory))
    super.init(settings, font, Engine(state), font.requests, memory)
  }

  /// Creates an instrument for the SoundFont file at `path`.
  public convenience init(
    soundFont path: String, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: .open(path), settings: settings)
  }
}
