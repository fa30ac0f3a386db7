import CFluidSynth

/// The bank and program of a preset.
package struct PresetNumber: Equatable, BitwiseCopyable {
  /// 0…16383; 128 is percussion. −1 if there is no preset, so that notes are silent.
  package var bank: Int32
  /// 0…127.
  package var program: Int32

  @_noLocks package init(bank: Int32, program: Int32) {
    self.bank = bank
    self.program = program
  }

  package init(_ selection: PresetSelection) {
    self.init(bank: Int32(selection.bank), program: Int32(selection.program))
  }

  /// The preset that `channel` of `synth` plays, after FluidSynth's substitutions.
  @_noLocks package init(playedBy synth: OpaquePointer, channel: Int32) {
    if let preset = fluid_synth_get_channel_preset(synth, channel) {
      self.init(
        bank: fluid_preset_get_banknum(preset), program: fluid_preset_get_num(preset))
    } else {
      self = .none
    }
  }

  /// The preset that was last requested for a channel, before FluidSynth's substitutions.
  @_noLocks package init(askedOf synth: OpaquePointer, channel: Int32) {
    var font: Int32 = 0
    self.init(bank: 0, program: 0)
    fluid_synth_get_program(synth, channel, &font, &bank, &program)
  }

  // Explicit because a synthesized operator cannot have the annotation.
  @_noLocks package static func == (a: PresetNumber, b: PresetNumber) -> Bool {
    a.bank == b.bank && a.program == b.program
  }

  static var none: PresetNumber { @_noLocks get { PresetNumber(bank: -1, program: 0) } }
  /// Not equal to the preset of any channel.
  static var unknown: PresetNumber { @_noLocks get { PresetNumber(bank: -2, program: 0) } }
}
