public import LocalSystem

/// The settings that a user, or the system's keeper, has written down.
///
/// They are read from `portative/config.json` in `$XDG_CONFIG_HOME` (else `~/.config`) and then
/// in `/etc/xdg`: a field of the first hides that of the second. The files are JSON5, so they may
/// have comments and trailing commas. Unknown fields are ignored, for the sake of newer versions.
public struct Configuration: Sendable {
  /// The SoundFont to play with, and the file that says so.
  public private(set) var soundFont: (path: String, statedIn: String)?

  /// The ports that a server publishes; `nil` where no file says.
  public private(set) var ports: [PortSettings]?

  /// What becomes of keyboards; empty where no file says.
  public private(set) var midi = MIDISettings()

  /// Reads what files there are.
  ///
  /// - Parameter file: Read this one instead, which must be there.
  /// - Throws: When one is there but cannot be read or understood.
  public init(_ surroundings: Surroundings, file: String? = nil) throws(ConfigurationError) {
    if let file {
      guard let settings = try Settings(file: file) else {
        throw ConfigurationError(file: file, reason: "there is no such file")
      }
      take(settings, of: file, surroundings)
      return
    }
    for file in Self.files(surroundings) {
      if let settings = try Settings(file: file) { take(settings, of: file, surroundings) }
    }
  }

  private mutating func take(_ settings: Settings, of file: String, _ surroundings: Surroundings) {
    let folder = String(file.prefix(upTo: file.lastSlash ?? file.startIndex))
    if soundFont == nil, let path = settings.soundfont {
      soundFont = (surroundings.path(path, relativeTo: folder), file)
    }
    midi.fill(from: settings.midi)
    if ports == nil, let listed = settings.ports {
      ports = listed.map { port in
        var port = port
        port.soundfont = port.soundfont.map { surroundings.path($0, relativeTo: folder) }
        return port
      }
    }
  }

  /// Where settings are looked for, the strongest first.
  static func files(_ surroundings: Surroundings) -> [String] {
    let user = surroundings.folder("XDG_CONFIG_HOME", inHome: ".config")
    return [user, surroundings.root + "/etc/xdg"].compactMap { folder in
      folder.map { "\($0)/portative/config.json" }
    }
  }
}

/// The fields of one file, in the words of the file.
private struct Settings: Decodable {
  var soundfont: String?
  var ports: [PortSettings]?
  var midi: MIDISettings?

  /// - Returns: `nil` where there is no such file.
  init?(file: String) throws(ConfigurationError) {
    do {
      guard let settings = try JSON5File.read(Self.self, at: file) else { return nil }
      self = settings
    } catch {
      throw ConfigurationError(file: file, reason: error.reason)
    }
  }
}

/// A file of settings that is there but of no use.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  public let reason: String

  public var description: String {
    "the configuration '\(file)' is of no use: \(reason); mend it or remove it"
  }
}
