import CFluidSynth

// What a host sets of all channels at once, or of one, by parameters instead of messages.
extension ExactState {
  /// Tunes everything up by so many cents. Notes that sound go along, each from its next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    bringUpOverflow(to: now)
    masterTuning = cents
    let generator = Int32(GEN_PITCH.rawValue)
    for channel in 0..<UInt8(16) {
      fluid_synth_set_gen(controlSynth, Int32(channel), generator, cents)
      channels[Int(channel)].state.pointee.generators[Int(generator)] = cents
      touch(channel)
      tellAll(channel, .generator(generator, cents), at: now)
    }
  }

  /// After a reset, which forgets the tuning as well.
  @_noLocks func tuneDirector(_ channel: UInt8) {
    if masterTuning == 0 { return }
    fluid_synth_set_gen(controlSynth, Int32(channel), Int32(GEN_PITCH.rawValue), masterTuning)
  }

  /// Chooses what the first channel plays, as bank select and program change do.
  @_noLocks mutating func select(bank: Int32, program: Int32) {
    fluid_synth_bank_select(controlSynth, 0, bank)
    fluid_synth_program_change(controlSynth, 0, program)
    readPreset(0)
  }

  /// After the director was told what no message told the engine: brings everything else up to date.
  @_noLocks mutating func followDirector() {
    for channel in 0..<UInt8(16) {
      synchronise(channel, at: now)
      channels[Int(channel)].chain = -1
      channels[Int(channel)].isNRPN = false
      let state = channels[Int(channel)].state
      if state.pointee.controllers[Int(Controller.portamentoTimeLSB)] != 0 {
        followEntry(channel, number: Controller.portamentoTimeLSB, at: now)
      }
    }
    readModes(at: now)
  }
}
