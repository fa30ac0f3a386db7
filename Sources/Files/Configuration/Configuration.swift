import FoundationEssentials
import Glibc
public import LocalSystem

/// The settings in the user's and the system's configuration files.
///
/// They are read from `portative/config.json` in `$XDG_CONFIG_HOME` (default: `~/.config`), then in `/etc/xdg`. A field
/// in the first file overrides the second. The files are JSON5, so they may contain comments and trailing commas.
/// Unknown fields are ignored, because newer versions may define more, and listed in ``unknownFields``.
public struct Configuration: Sendable {
  /// The configured SoundFont, and the file that sets it.
  public private(set) var soundFont: (path: String, statedIn: String)?

  /// The ports that a server publishes; `nil` if no file sets them.
  public private(set) var ports: [PortSettings]?

  /// The keyboard settings; empty if no file sets them.
  public private(set) var midi = MIDISettings()

  /// The scenes; empty if no file sets them.
  public private(set) var scenes: [SceneSettings] = []

  /// The names of scenes in the order in which they are played; `nil`: the order of ``scenes``.
  public private(set) var setList: [String]?

  /// The limits of the recorded music; empty if no file sets them.
  public private(set) var takes = TakeSettings()

  /// The controls of keyboards; empty if no file sets them.
  public private(set) var controls: [ControlSettings] = []

  /// The MIDI outputs to modules; empty if no file sets them.
  public private(set) var outputs: [OutputSettings] = []

  /// The files that were read, in the order of precedence.
  public private(set) var files: [String] = []

  /// Fields that no setting uses.
  public private(set) var unknownFields: [UnknownField] = []

  /// The file that was read instead of the user's and the system's.
  let givenFile: String?

  /// The files that were read, as ``files``.
  private(set) var sources: [SettingsFile] = []

  /// The file that sets ``ports``.
  private var portsFile: SettingsFile?
  /// The file that sets ``scenes``, and that which sets ``setList``.
  private(set) var scenesFile: SettingsFile?
  private var setListFile: SettingsFile?
  /// The file that sets ``takes``.
  private var takesFile: SettingsFile?

  /// The file that sets ``controls``.
  private var controlsFile: SettingsFile?
  /// The file that sets ``outputs``.
  private var outputsFile: SettingsFile?

  /// Reads the existing configuration files.
  ///
  /// - Parameter file: A file to read instead, which must exist.
  /// - Throws: If a file exists but cannot be read or decoded.
  public init(_ environment: ProcessEnvironment, file: String? = nil) throws(ConfigurationError) {
    givenFile = file
    if let file {
      guard let settings = try SettingsFile(file) else {
        throw ConfigurationError(file: file, reason: "there is no such file")
      }
      try merge(settings, environment)
      return
    }
    for file in Self.files(environment) {
      if let settings = try SettingsFile(file) { try merge(settings, environment) }
    }
  }

  /// A configuration file to be changed, which need not exist.
  package init(editing file: String) { givenFile = file }

  private mutating func merge(
    _ file: SettingsFile, _ environment: ProcessEnvironment
  ) throws(ConfigurationError) {
    let path = file.path
    let unknown = file.unknownFields
    files.append(path)
    sources.append(file)
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
    if scenesFile == nil, let all = settings.scenes {
      scenes = all.map { scene in
        var scene = scene
        scene.ports = scene.ports.mapValues { $0.resolvingPaths(resolved) }
        scene.track = scene.track?.resolvingPaths(resolved)
        return scene
      }
      scenesFile = file
    }
    if setListFile == nil, settings.setList != nil {
      setList = settings.setList
      setListFile = file
    }
    if takes.minutes == nil, settings.takes?.minutes != nil { takesFile = file }
    takes.fill(from: settings.takes)
    if ports == nil, settings.ports != nil {
      for index in settings.ports!.indices {
        settings.ports![index].soundfont = settings.ports![index].soundfont.map(resolved)
        settings.ports![index].instruments = settings.ports![index].instruments?.mapValues { name in
          let prefix = PortSettings.soundFontPrefix
          guard name.hasPrefix(prefix), name != prefix else { return name }
          return prefix + resolved(String(name.dropFirst(prefix.count)))
        }
        settings.ports![index].files = settings.ports![index].files?.mapValues(resolved)
        settings.ports![index].zones = settings.ports![index].zones?.map {
          $0.resolvingPaths(resolved)
        }
      }
      ports = settings.ports
      portsFile = file
    }
    if outputsFile == nil, let found = settings.outputs {
      outputs = found
      outputsFile = file
    }
    if controlsFile == nil, let found = settings.controls {
      controls = found
      controlsFile = file
    }
  }

  /// Removes the ports and what refers to them: scenes and controls.
  package mutating func removePorts() {
    (ports, scenes, setList, controls) = (nil, [], nil, [])
  }

  /// The paths of the configuration files, in the order of precedence.
  package static func files(_ environment: ProcessEnvironment) -> [String] {
    let user = environment.folder("XDG_CONFIG_HOME", inHome: ".config")
    return [user, environment.root + "/etc/xdg"].compactMap { folder in
      folder.map { "\($0)/portative/config.json" }
    }
  }

  /// Returns an error at a port's location in the file.
  ///
  /// - Parameters:
  ///   - index: The index in ``ports``.
  ///   - field: A field of the port, such as `preset.bank`; `nil` for the port as a whole.
  public func error(
    inPort index: Int, field: String? = nil, reason: String
  ) -> ConfigurationError {
    let steps = field?.split(separator: ".").map { JSON5Step.field(String($0)) } ?? []
    return error(in: portsFile, at: [.field("ports"), .element(index)] + steps, reason: reason)
  }

  /// Returns an error at a control's location in the file.
  ///
  /// - Parameters:
  ///   - index: The index in ``controls``.
  ///   - field: A field of the control; `nil` for the control as a whole.
  public func error(
    inControl index: Int, field: String? = nil, reason: String
  ) -> ConfigurationError {
    let steps = field.map { [JSON5Step.field($0)] } ?? []
    return error(
      in: controlsFile, at: [.field("controls"), .element(index)] + steps, reason: reason)
  }

  /// Returns an error at an element of ``outputs``.
  package func error(inOutput index: Int, reason: String) -> ConfigurationError {
    error(in: outputsFile, at: [.field("outputs"), .element(index)], reason: reason)
  }

  /// Returns an error at the location of ``ports`` as a whole.
  public func errorInPorts(reason: String) -> ConfigurationError {
    error(in: portsFile, at: [.field("ports")], reason: reason)
  }

  /// Returns an error in a scene.
  ///
  /// - Parameters:
  ///   - index: The index in ``scenes``.
  ///   - port: A port of the scene; `nil` for the scene as a whole.
  public func error(inScene index: Int, port: String? = nil, reason: String) -> ConfigurationError {
    let steps = port.map { [JSON5Step.field("ports"), .field($0)] } ?? []
    return error(in: scenesFile, at: [.field("scenes"), .element(index)] + steps, reason: reason)
  }

  /// Returns an error at an element of ``setList``.
  public func error(inSetList index: Int, reason: String) -> ConfigurationError {
    error(in: setListFile, at: [.field("setList"), .element(index)], reason: reason)
  }

  /// Returns the seconds for which what keyboards play is kept; 0 to keep nothing.
  package func takeSeconds() throws(ConfigurationError) -> Double {
    let minutes = takes.minutes ?? TakeSettings.standardMinutes
    if 0...TakeSettings.maximumMinutes ~= minutes { return minutes * 60 }
    throw error(
      in: takesFile, at: [.field("takes"), .field("minutes")],
      reason: "'takes.minutes' must be 0 to \(Int(TakeSettings.maximumMinutes)), but is \(minutes)")
  }

  private func error(
    in file: SettingsFile?, at path: [JSON5Step], reason: String
  ) -> ConfigurationError {
    guard let file else { return ConfigurationError(file: "the built-in ports", reason: reason) }
    let location = file.document.location(of: path)
    return ConfigurationError(
      file: file.path, line: location.line, column: location.column, reason: reason)
  }
}

extension ZoneSettings {
  func resolvingPaths(_ resolve: (String) -> String) -> Self {
    var zone = self
    zone.sound.soundfont = sound.soundfont.map(resolve)
    return zone
  }
}

extension ScenePortSettings {
  func resolvingPaths(_ resolve: (String) -> String) -> Self {
    var port = self
    port.zones = zones?.map { $0.resolvingPaths(resolve) }
    port.sound.soundfont = sound.soundfont.map(resolve)
    return port
  }
}

extension Configuration {
  /// Reads zones in the notation of a configuration file: a list, as in `zones`.
  ///
  /// - Parameter environment: Completes the paths of SoundFonts. Relative ones begin at the folder of the file that has
  ///   the scenes.
  /// - Throws: ``ConfigurationError`` at the location in the text.
  package func zones(
    _ text: String, _ environment: ProcessEnvironment
  ) throws(ConfigurationError) -> [ZoneSettings] {
    do throws(JSON5File.Failure) {
      let document = try JSON5Document(Array(text.utf8))
      if let field = document.unknownFields(in: .list(of: ZoneSettings.shape)).first {
        throw JSON5File.Failure(
          reason: "there is no setting '\(field.name)'", location: field.location)
      }
      let path = scenesPath(environment)
      return try document.decode([ZoneSettings].self).map { zone in
        zone.resolvingPaths { Self.path($0, besides: path, environment) }
      }
    } catch {
      throw ConfigurationError(file: "the zones", error)
    }
  }

  /// Returns zones in the notation of a configuration file.
  package static func text(_ zones: [ZoneSettings]) -> String {
    JSON5Document.formatted(json(zones))
  }

  /// Completes the path of a SoundFont in a configuration file.
  private static func path(
    _ text: String, besides file: String?, _ environment: ProcessEnvironment
  ) -> String {
    let folder = file.map { String($0.prefix(upTo: $0.lastSlash ?? $0.startIndex)) } ?? ""
    return environment.path(text, relativeTo: folder.isEmpty ? "." : folder)
  }

  /// The file in which scenes are saved; `nil` if there is no home folder for it.
  package func scenesPath(_ environment: ProcessEnvironment) -> String? {
    scenesFile?.path ?? givenFile ?? Self.files(environment).first
  }

  /// Adds a scene to the configuration file, or replaces one. The rest of the file, with its comments, remains, also the
  /// ports and zones of a replaced scene that have not changed. Paths of SoundFonts are written as the file has them
  /// elsewhere. If the file has a set list, a new scene becomes its last.
  ///
  /// - Parameter replaces: Whether to replace a scene of the same name.
  /// - Returns: The path of the file.
  /// - Throws: ``Failure`` if the scene has no valid name, or if the file would have too many scenes or bytes to be read
  ///   again; ``ConfigurationError`` if the file has become invalid. The file has not been changed then.
  package func save(
    _ scene: SceneSettings, replaces: Bool, _ environment: ProcessEnvironment
  ) throws -> String {
    try SceneSettings.check(name: scene.name)
    return try Self.edit(scenesPath(environment)) { document, path in
      try Self.adding(scene, to: document, path, replaces) {
        Self.path($0, besides: path, environment)
      }
    }
  }

  /// Returns a configuration file with a scene more.
  private static func adding(
    _ scene: SceneSettings, to document: JSON5Document, _ path: String, _ replaces: Bool,
    resolve: @escaping (String) -> String
  ) throws -> JSON5Document {
    var file = try SceneFile(document, resolve: resolve)
    if let index = file.index(of: scene.name) {
      if !replaces {
        throw Failure(.usage, "there is a scene '\(scene.name)': add --replace to replace it")
      }
      try file.replacePorts(ofSceneAt: index, by: scene)
    } else if file.count >= SceneSettings.maximumCount {
      throw Failure(
        .usage,
        "'\(path)' has \(file.count) scenes, and can have at most \(SceneSettings.maximumCount): replace one with "
          + "--replace, or remove one")
    } else {
      try file.add(scene)
    }
    return file.document
  }

  package static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails for numbers that are not finite only, and settings have none.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
