import FluidSynthEngine

extension StemPlan.Stem {
  /// What it is called: as the song calls it, else as the SoundFont calls what it is played with, else
  /// by its place.
  func name(_ presets: [SoundFontPreset]) -> String {
    if let title, let name = fileName(title) { return name }
    if let preset, let found = Self.find(preset, presets), let name = fileName(found) {
      return name
    }
    return place
  }

  /// The preset's name, or that of what FluidSynth plays instead of a variation that is not there.
  private static func find(_ preset: PresetSelection, _ presets: [SoundFontPreset]) -> String? {
    func name(_ bank: Int, _ program: Int) -> String? {
      presets.first { $0.selection == PresetSelection(bank: bank, program: program) }?.name
    }
    if let name = name(preset.bank, preset.program) { return name }
    return preset.bank == 128 ? name(128, 0) : name(0, preset.program)
  }
}

/// Makes part of a file's name of a text: one that Linux takes, and other systems too.
///
/// - Returns: `nil` where nothing is left of it.
func fileName(_ text: String) -> String? {
  var name = ""
  for character in text {
    // Between words one space, whatever there was.
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

/// Names have 255 bytes at most, and a number, an ending and that of the temporary file come to it.
private let mostNameBytes = 120

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { properties.isWhitespace }

  /// Control characters, those that turn the direction of writing, and what is no character.
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .unassigned, .privateUse: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}
