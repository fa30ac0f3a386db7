import CFluidSynth

// Values that a host sets by parameters instead of messages, for all channels or for one.
extension ExactState {
  /// Sets the master tuning in cents. A sounding note follows from its next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    renderOverflow(upTo: now)
    masterTuning = cents
    for channel in 0..<UInt8(16) { tune(channel, at: now) }
  }

  /// Sets the tuning of a channel after the master tuning or that of the part has changed.
  @_noLocks mutating func tune(_ channel: UInt8, at frame: Int64) {
    let generator = Int32(GEN_PITCH.rawValue)
    let cents = masterTuning + module.tuning(of: channel)
    fluid_synth_set_gen(controlSynth, Int32(channel), generator, cents)
    channels[Int(channel)].state.generators[Int(generator)] = cents
    markChanged(channel)
    send(.generator(generator, cents), toChannel: channel, at: frame)
  }

  /// Restores the tuning of a channel after a reset, which clears it.
  @_noLocks func tuneControlSynth(_ channel: UInt8) {
    let cents = masterTuning + module.tuning(of: channel)
    if cents == 0 { return }
    fluid_synth_set_gen(controlSynth, Int32(channel), Int32(GEN_PITCH.rawValue), cents)
  }

  /// Updates channels and lanes after the control synth was changed by other means than messages.
  @_noLocks mutating func readControlSynth() {
    for channel in 0..<UInt8(16) {
      synchronise(channel, at: now)
      channels[Int(channel)].keys = LegatoKeys()
      if channels[Int(channel)].state.controllers[Int(Controller.portamentoTimeLSB)] != 0 {
        trackDataEntry(channel, number: Controller.portamentoTimeLSB, at: now)
      }
    }
    readModes(at: now)
  }
}
