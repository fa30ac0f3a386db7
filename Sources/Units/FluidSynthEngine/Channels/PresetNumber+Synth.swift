import CFluidSynth

extension PresetNumber {
  /// The preset that was last requested for a channel, before FluidSynth's substitutions.
  @_noLocks package init(askedOf synth: OpaquePointer, channel: Int32) {
    var font: Int32 = 0
    self.init(bank: 0, program: 0)
    fluid_synth_get_program(synth, channel, &font, &bank, &program)
  }
}
