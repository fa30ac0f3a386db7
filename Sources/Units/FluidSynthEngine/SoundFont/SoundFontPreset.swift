import CFluidSynth

/// A preset of a SoundFont.
public struct SoundFontPreset: Equatable, Sendable {
  public let name: String
  public let selection: PresetSelection

  package init(name: String, selection: PresetSelection) {
    self.name = name
    self.selection = selection
  }
}

extension PresetTables {
  /// Returns the presets in order of bank and program.
  ///
  /// Threads: one at a time, and before another thread plays from the tables, because FluidSynth stores the
  /// position of the iteration in them. Realtime: no.
  func list() -> [SoundFontPreset] {
    var presets: [SoundFontPreset] = []
    fluid_sfont_iteration_start(font)
    while let preset = fluid_sfont_iteration_next(font) {
      let name = fluid_preset_get_name(preset).map { String(cString: $0) } ?? ""
      let bank = Int(fluid_preset_get_banknum(preset))
      let program = Int(fluid_preset_get_num(preset))
      presets.append(
        SoundFontPreset(name: name, selection: PresetSelection(bank: bank, program: program)))
    }
    return presets.sorted {
      ($0.selection.bank, $0.selection.program) < ($1.selection.bank, $1.selection.program)
    }
  }
}
