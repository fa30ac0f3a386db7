import FluidSynthEngine
import OfflineRenderer

/// The presets that an instrument plays for those that a song asks for.
struct PresetNames {
  private let names: [Number: String]

  private struct Number: Hashable {
    var bank: Int
    var program: Int
  }

  /// - Parameter presets: Those of the SoundFont; empty: they are not known, and have the names of General MIDI.
  init(_ presets: [SoundFontPreset]) {
    names = Dictionary(
      presets.map {
        (Number(bank: $0.selection.bank, program: $0.selection.program), $0.name)
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of the preset that is played, and the preset; `nil` if notes are silent.
  ///
  /// If the SoundFont lacks a preset, FluidSynth plays that of bank 0 or the first, or for percussion the first kit.
  func played(_ wanted: PartFollower.Sound) -> (name: String, bank: Int, program: Int)? {
    if names.isEmpty {
      let name = wanted.isRhythm ? "Drums" : GeneralMIDI.programs[wanted.program]
      return (name, wanted.bank, wanted.program)
    }
    let first = Number(bank: wanted.bank, program: wanted.program)
    let others =
      wanted.bank == 128
      ? [Number(bank: 128, program: 0)]
      : [Number(bank: 0, program: wanted.program), Number(bank: 0, program: 0)]
    for number in [first] + others {
      if let name = names[number] { return (name, number.bank, number.program) }
    }
    return nil
  }
}
