import FluidSynthEngine

extension StemPlan.Stem {
  /// Returns the stem's name: from the song, or of its instrument or the SoundFont's preset, or ``fallbackName``.
  func name(_ sounds: PlayedSounds) -> String {
    if let title, let name = fileName(title) { return name }
    let sound =
      if let instrument = place.flatMap(sounds.instrument(ofPlace:)) {
        sounds.name(ofInstrument: instrument)
      } else {
        preset.flatMap(sounds.presets.name)
      }
    return sound.flatMap(fileName) ?? fallbackName
  }
}

extension [SoundFontPreset] {
  /// Returns a preset's name, or the name of FluidSynth's substitute for a missing variation.
  func name(of preset: PresetSelection) -> String? {
    func name(_ bank: Int, _ program: Int) -> String? {
      first { $0.selection == PresetSelection(bank: bank, program: program) }?.name
    }
    if let name = name(preset.bank, preset.program) { return name }
    return preset.bank == 128 ? name(128, 0) : name(0, preset.program)
  }
}

/// Converts a text to a part of a file name that is valid on Linux and other systems.
///
/// - Returns: `nil` if no characters remain.
func fileName(_ text: String) -> String? {
  var name = ""
  for character in text {
    // Any white space between words becomes a single space.
    if character.unicodeScalars.contains(where: \.isBlank) {
      if !name.isEmpty, !name.hasSuffix(" ") { name.append(" ") }
    } else if let ascii = character.asciiValue, "/\\:*?\"<>|".utf8.contains(ascii) {
      name.append("-")
    } else if !character.unicodeScalars.contains(where: \.isUnprintable) {
      name.append(character)
    }
    if name.utf8.count > mostNameBytes {
      name.removeLast()
      break
    }
  }
  while name.hasPrefix(".") || name.hasPrefix(" ") { name.removeFirst() }
  while name.hasSuffix(" ") || name.hasSuffix(".") { name.removeLast() }
  return name.isEmpty ? nil : name
}

/// The greatest length in bytes. File names have at most 255, and a number, an extension and the temporary suffix are
/// added.
private let mostNameBytes = 120

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { properties.isWhitespace }

  /// Whether this is a control character, a directional formatting character, or not a character.
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .unassigned, .privateUse: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}
