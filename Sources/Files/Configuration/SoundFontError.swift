/// The reason why no SoundFont can be used.
public enum SoundFontError: Error, Equatable, Sendable, CustomStringConvertible {
  case noneFound(lookedFor: [String])
  /// The file was named or found, but cannot be opened; `reason` is the system's message.
  case unreadable(FoundSoundFont, reason: String)
  case notASoundFont(FoundSoundFont)
  /// The file is shorter than its header states.
  case cutShort(FoundSoundFont, expected: Int, found: Int)
  case configuration(ConfigurationError)

  public var description: String {
    switch self {
    case .noneFound(let paths):
      return "no SoundFont was found, neither by PORTATIVE_SOUNDFONT, nor by the configuration, "
        + "nor at " + paths.joined(separator: ", ") + ": name one with --soundfont FILE"
    case .unreadable(let file, let reason):
      return "cannot read the SoundFont '\(file.path)' (\(file.origin)): \(reason); "
        + "name another with --soundfont FILE"
    case .notASoundFont(let file):
      return "'\(file.path)' (\(file.origin)) is not a SoundFont: "
        + "name an .sf2 or .sf3 file with --soundfont FILE"
    case .cutShort(let file, let expected, let found):
      return "the SoundFont '\(file.path)' (\(file.origin)) is truncated: it has \(found) bytes "
        + "and should have \(expected); copy or download it again"
    case .configuration(let error):
      return error.description
    }
  }
}
