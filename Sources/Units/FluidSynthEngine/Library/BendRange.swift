import CFluidSynth

/// The pitch bend range of a channel: 128 × semitones + cents, as registered parameter 0 encodes it.
enum BendRange {
  /// In semitones: the range of the registered parameter.
  static let values: ClosedRange<Int32> = 0...127
  /// Two semitones.
  static var standard: Int32 { @_noLocks get { 2 << 7 } }

  /// The maximum of `fluid_synth_pitch_wheel_sens`.
  private static var limit: Int32 { @_noLocks get { 72 } }

  /// The whole semitones of a range, as FluidSynth computes and reports them.
  @_noLocks static func semitones(_ range: Int32) -> Int32 {
    Int32(Float(range >> 7) + Float(range & 127) / 100)
  }

  /// Sets the range of a channel; a range with cents, or beyond the limit of the function, by messages.
  @_noLocks static func send(_ range: Int32, to synth: OpaquePointer, channel: Int32) {
    if range & 127 == 0, range >> 7 <= limit {
      fluid_synth_pitch_wheel_sens(synth, channel, range >> 7)
      return
    }
    fluid_synth_cc(synth, channel, 101, 0)
    fluid_synth_cc(synth, channel, 100, 0)
    fluid_synth_cc(synth, channel, Int32(Controller.dataEntryLSB), range & 127)
    fluid_synth_cc(synth, channel, Int32(Controller.dataEntryMSB), range >> 7)
    // Deselect the parameter, so that later data entry has no effect.
    fluid_synth_cc(synth, channel, 101, 127)
    fluid_synth_cc(synth, channel, 100, 127)
  }
}
