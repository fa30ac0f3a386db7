import CFluidSynth

/// How far a channel's pitch bend goes.
enum BendRange {
  /// In semitones: what a registered parameter can say.
  static let values: ClosedRange<Int32> = 0...127

  /// What `fluid_synth_pitch_wheel_sens` takes at most.
  private static var limit: Int32 { @_noLocks get { 72 } }

  /// Tells a channel its range; beyond the function's limit by the messages that have none.
  @_noLocks static func tell(_ semitones: Int32, _ synth: OpaquePointer, channel: Int32) {
    if semitones <= limit {
      fluid_synth_pitch_wheel_sens(synth, channel, semitones)
      return
    }
    fluid_synth_cc(synth, channel, 101, 0)
    fluid_synth_cc(synth, channel, 100, 0)
    fluid_synth_cc(synth, channel, Int32(Controller.dataEntryMSB), semitones)
    // No parameter is selected, so that data entry to come changes nothing unasked.
    fluid_synth_cc(synth, channel, 101, 127)
    fluid_synth_cc(synth, channel, 100, 127)
  }
}
