import CFluidSynth

/// A SoundFont that forwards to tables which the synth does not own and which can be replaced.
///
/// The synth treats it as its own SoundFont and deletes it at the end. Every preset that the synth looks
/// up comes from the target tables, or is the only preset that they play.
struct SoundFontProxy: BitwiseCopyable {
  private let font: OpaquePointer

  /// Adds the proxy to `synth` as its only SoundFont, which gives every channel its initial preset. Realtime: no.
  init(of synth: OpaquePointer, to tables: PresetTables) throws(InstrumentError) {
    let proxy =
      tables.only == nil
      ? new_fluid_sfont(targetName, targetPreset, nil, nil, deleteProxy)
      : new_fluid_sfont(nameOfOnlyPreset, onlyPreset, nil, nil, deleteProxy)
    guard let font = proxy else { throw .outOfMemory }
    self.font = font
    retarget(to: tables)
    fluid_synth_add_sfont(synth, font)
  }

  /// Forwards to `tables` from now on. Presets that channels have already selected do not change.
  @_noLocks func retarget(to tables: PresetTables) {
    fluid_sfont_set_data(font, UnsafeMutableRawPointer(tables.only ?? tables.font))
  }
}

@_noLocks private func targetPreset(
  _ proxy: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  fluid_sfont_get_preset(OpaquePointer(fluid_sfont_get_data(proxy)), bank, program)
}

private func targetName(_ proxy: OpaquePointer?) -> UnsafePointer<CChar>? {
  fluid_sfont_get_name(OpaquePointer(fluid_sfont_get_data(proxy)))
}

@_noLocks private func onlyPreset(
  _ proxy: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  OpaquePointer(fluid_sfont_get_data(proxy))
}

private func nameOfOnlyPreset(_ proxy: OpaquePointer?) -> UnsafePointer<CChar>? {
  fluid_preset_get_name(OpaquePointer(fluid_sfont_get_data(proxy)))
}

private func deleteProxy(_ proxy: OpaquePointer?) -> Int32 { delete_fluid_sfont(proxy) }
