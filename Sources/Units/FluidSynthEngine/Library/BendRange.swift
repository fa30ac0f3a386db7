import CFluidSynth

/// How far a channel's pitch bend goes: semitones times 128, and cents, as registered parameter 0 has them.
enum BendRange {
  /// In semitones: what a registered parameter can say.
  static let values: ClosedRange<Int32> = 0...127
  /// Two semitones.
  static var standard: Int32 { @_noLocks get { 2 << 7 } }

  /// What `fluid_synth_pitch_wheel_sens` takes at most.
  private static var limit: Int32 { @_noLocks get { 72 } }

  /// The whole semitones of a range, as FluidSynth reckons and gives them.
  @_noLocks static func semitones(_ range: Int32) -> Int32 {
    Int32(Float(range >> 7) + Float(range & 127) / 100)
  }

  /// Tells a channel its range; with cents, and beyond the function's limit, by messages.
  @_noLocks static func tell(_ range: Int32, _ synth: OpaquePointer, channel: Int32) {
    if range & 127 == 0, range >> 7 <= limit {
      fluid_synth_pitch_wheel_sens(synth, channel, range >> 7)
      return
    }
    fluid_synth_cc(synth, channel, 101, 0)
    fluid_synth_cc(synth, channel, 100, 0)
    fluid_synth_cc(synth, channel, Int32(Controller.dataEntryLSB), range & 127)
    fluid_synth_cc(synth, channel, Int32(Controller.dataEntryMSB), range >> 7)
    // No parameter is selected, so that data entry to come changes nothing unasked.
    fluid_synth_cc(synth, channel, 101, 127)
    fluid_synth_cc(synth, channel, 100, 127)
  }
}
