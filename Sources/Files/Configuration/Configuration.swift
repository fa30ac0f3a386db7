public import LocalSystem

/// The settings that a user, or the system's administrator, has written down.
///
/// They are read from `portative/config.json` in `$XDG_CONFIG_HOME` (else `~/.config`) and then
/// in `/etc/xdg`: a field of the first hides that of the second. The files are JSON5, so they may
/// have comments and trailing commas. Unknown fields are ignored, for newer versions may have more, and
/// are listed in ``unknownFields``.
public struct Configuration: Sendable {
  /// The SoundFont to play with, and the file that says so.
  public private(set) var soundFont: (path: String, statedIn: String)?

  /// The ports that a server publishes; `nil` where no file says.
  public private(set) var ports: [PortSettings]?

  /// What becomes of keyboards; empty where no file says.
  public private(set) var midi = MIDISettings()

  /// The files that were read, the strongest first.
  public private(set) var files: [String] = []

  /// Fields that nothing reads.
  public private(set) var unknownFields: [UnknownField] = []

  /// The file of ``ports``.
  private var portsFile: SettingsFile?

  /// Reads what files there are.
  ///
  /// - Parameter file: Read this one instead, which must be there.
  /// - Throws: When one is there but cannot be read or understood.
  public init(_ environment: ProcessEnvironment, file: String? = nil) throws(ConfigurationError) {
    if let file {
      guard let settings = try SettingsFile(file) else {
        throw ConfigurationError(file: file, reason: "there is no such file")
      }
      try take(settings, environment)
      return
    }
    for file in Self.files(environment) {
      if let settings = try SettingsFile(file) { try take(settings, environment) }
    }
  }

  private mutating func take(
    _ file: SettingsFile, _ environment: ProcessEnvironment
  ) throws(ConfigurationError) {
    let path = file.path
    let unknown = file.unknownFields
    files.append(path)
    unknownFields += unknown
    var settings: Settings
    do throws(ConfigurationError) {
      settings = try file.settings()
    } catch {
      var error = error
      error.unknownFields = unknownFields
      throw error
    }
    let folder = String(path.prefix(upTo: path.lastSlash ?? path.startIndex))
    func resolved(_ text: String) -> String {
      environment.path(text, relativeTo: folder.isEmpty ? "." : folder)
    }
    if soundFont == nil, let text = settings.soundfont { soundFont = (resolved(text), path) }
    midi.fill(from: settings.midi)
    if ports == nil, settings.ports != nil {
      for index in settings.ports!.indices {
        settings.ports![index].soundfont = settings.ports![index].soundfont.map(resolved)
      }
      ports = settings.ports
      portsFile = file
    }
  }

  /// Where settings are looked for, the strongest first.
  static func files(_ environment: ProcessEnvironment) -> [String] {
    let user = environment.folder("XDG_CONFIG_HOME", inHome: ".config")
    return [user, environment.root + "/etc/xdg"].compactMap { folder in
      folder.map { "\($0)/portative/config.json" }
    }
  }

  /// What is wrong with a port, for whoever has found it so.
  ///
  /// - Parameters:
  ///   - index: In ``ports``.
  ///   - field: A field of the port, such as `preset.bank`; `nil` for the port as a whole.
  public func error(
    inPort index: Int, field: String? = nil, reason: String
  ) -> ConfigurationError {
    let steps = field?.split(separator: ".").map { JSON5Step.field(String($0)) } ?? []
    return error(at: [.field("ports"), .element(index)] + steps, reason: reason)
  }

  /// What is wrong with ``ports`` as a whole.
  public func errorInPorts(reason: String) -> ConfigurationError {
    error(at: [.field("ports")], reason: reason)
  }

  private func error(at path: [JSON5Step], reason: String) -> ConfigurationError {
    guard let portsFile else {
      return ConfigurationError(file: "the built-in ports", reason: reason)
    }
    let place = portsFile.document.place(of: path)
    return ConfigurationError(
      file: portsFile.path, line: place.line, column: place.column, reason: reason)
  }
}
