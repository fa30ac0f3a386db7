/// A SoundFont file, and how it was chosen.
public struct FoundSoundFont: Equatable, Sendable {
  public let path: String
  public let origin: Origin

  /// The source of the path.
  public enum Origin: Equatable, Sendable, CustomStringConvertible {
    case option
    case variable
    case configuration(file: String)
    case system
    case user
    case bundled

    public var description: String {
      switch self {
      case .option: "given with --soundfont"
      case .variable: "named by PORTATIVE_SOUNDFONT"
      case .configuration(let file): "named in \(file)"
      case .system: "the system's default"
      case .user: "found in the user's folder"
      case .bundled: "bundled with Portative"
      }
    }
  }
}
