import CFluidSynth

/// A synth's way to presets that it does not own, and that may be exchanged for others.
///
/// To its synth it is a SoundFont like any other, which the synth frees in the end; but every preset
/// it is asked for is one of the tables that it leads to, or the only one that they play.
struct SoundFontProxy: BitwiseCopyable {
  private let font: OpaquePointer

  /// Gives `synth` its one SoundFont, and every channel its first preset. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(of synth: OpaquePointer, to tables: PresetTables) throws(InstrumentError) {
    let door =
      tables.only == nil
      ? new_fluid_sfont(nameBehind, presetBehind, nil, nil, removeDoor)
      : new_fluid_sfont(nameOfOnly, onlyBehind, nil, nil, removeDoor)
    guard let font = door else { throw .outOfMemory }
    self.font = font
    lead(to: tables)
    fluid_synth_add_sfont(synth, font)
  }

  /// Presets chosen from now on are of `tables`; those chosen before stay.
  @_noLocks func lead(to tables: PresetTables) {
    fluid_sfont_set_data(font, UnsafeMutableRawPointer(tables.only ?? tables.font))
  }
}

@_noLocks @c private func presetBehind(
  _ door: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  fluid_sfont_get_preset(OpaquePointer(fluid_sfont_get_data(door)), bank, program)
}

@c private func nameBehind(_ door: OpaquePointer?) -> UnsafePointer<CChar>? {
  fluid_sfont_get_name(OpaquePointer(fluid_sfont_get_data(door)))
}

@_noLocks @c private func onlyBehind(
  _ door: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  OpaquePointer(fluid_sfont_get_data(door))
}

@c private func nameOfOnly(_ door: OpaquePointer?) -> UnsafePointer<CChar>? {
  fluid_preset_get_name(OpaquePointer(fluid_sfont_get_data(door)))
}

@c private func removeDoor(_ door: OpaquePointer?) -> Int32 { delete_fluid_sfont(door) }
