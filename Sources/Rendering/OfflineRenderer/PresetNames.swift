import RenderCore
package import FluidSynthEngine

/// The presets that an instrument plays for those that a song asks for.
package struct PresetNames: Sendable {
  private let names: [Number: String]

  private struct Number: Hashable, Sendable {
    var bank: Int
    var program: Int
  }

  /// - Parameter presets: Those of the SoundFont; empty: they are not known, and have the names of General MIDI.
  package init(_ presets: [SoundFontPreset]) {
    names = Dictionary(
      presets.map {
        (Number(bank: $0.selection.bank, program: $0.selection.program), $0.name)
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of the preset that is played, and the preset; `nil` if notes are silent.
  ///
  /// If the SoundFont lacks a preset, FluidSynth plays that of bank 0 or the first, or for percussion the first kit.
  package func played(_ wanted: PartFollower.Sound) -> (name: String, bank: Int, program: Int)? {
    played(bank: wanted.bank, program: wanted.program)
  }

  /// Returns the name of the preset that is played, and the preset; `nil` if notes are silent.
  ///
  /// - Parameter bank: 128 for percussion.
  package func played(
    bank: Int, program: Int
  ) -> (name: String, bank: Int, program: Int)? {
    let isRhythm = bank == 128
    if names.isEmpty {
      return (isRhythm ? "Drums" : GeneralMIDI.programs[program], bank, program)
    }
    let first = Number(bank: bank, program: program)
    let others =
      isRhythm
      ? [Number(bank: 128, program: 0)]
      : [Number(bank: 0, program: program), Number(bank: 0, program: 0)]
    for number in [first] + others {
      if let name = names[number] { return (name, number.bank, number.program) }
    }
    return nil
  }
}
