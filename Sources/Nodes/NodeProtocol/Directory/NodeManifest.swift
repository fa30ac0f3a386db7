import Glibc
import LocalSystem

/// The ports of a node and the command that starts it: a file `NAME.json` in one of ``NodeDirectories/manifests``.
///
/// ```json5
/// {
///   manifest: 1,
///   command: ["portative", "serve"],  // looked up in PATH, unless it is an absolute path
///   ports: [
///     {
///       type: "instrument", subtype: "gmsy", manufacturer: "Ptvo",
///       name: "Portative: General MIDI", version: "1.0.0", tags: ["piano"],
///       nodes: ["organ/Flutes"],      // only for a chain: the ports that it plays
///     },
///   ],
/// }
/// ```
/// The file is JSON5. Unknown fields are ignored, so that files of newer versions can be read.
public struct NodeManifest: Hashable, Sendable {
  /// The name of the node, which is the file's name without `.json`.
  public let name: String
  /// The program and its arguments; at least one element. The program runs in the foreground and publishes the ports.
  public let command: [String]
  /// The ports; at least one, each with another component.
  public let ports: [PortDescription]
  /// For each port that is a chain, the names of the other nodes' ports that it plays. Hosts use this to detect a chain
  /// that contains itself before they play it.
  public let chains: [ComponentDescription: [String]]
  /// The path of the file that was read, or `NAME.json` if the manifest was not read from a file.
  public let file: String

  /// The version of the format that is read and written.
  public static let version = 1

  /// Creates a manifest.
  ///
  /// - Throws: ``ManifestError`` when a value is invalid.
  public init(
    name: String, command: [String], ports: [PortDescription],
    chains: [ComponentDescription: [String]] = [:]
  ) throws(ManifestError) {
    try self.init(
      name: name, command: command, ports: ports, chains: chains, file: "\(name).json")
  }

  init(
    name: String, command: [String], ports: [PortDescription],
    chains: [ComponentDescription: [String]], file: String
  ) throws(ManifestError) {
    do {
      try NodeName.check(name)
    } catch {
      throw .unusable(file: file, reason: error.description)
    }
    if let reason = Self.problem(with: command) ?? Self.problem(with: ports) {
      throw .unusable(file: file, reason: reason)
    }
    self.name = name
    self.command = command
    self.ports = ports
    self.chains = chains
    self.file = file
  }

  private static func problem(with command: [String]) -> String? {
    guard let program = command.first, !program.isEmpty else {
      return "'command' is empty: write the program and its arguments"
    }
    if program.contains("/"), !program.hasPrefix("/") {
      return "'command[0]' is '\(program)', which hosts in other folders would not find: write an "
        + "absolute path, or a name to look up in PATH"
    }
    let index = command.firstIndex { $0.utf8.contains(0) }
    return index.map { "'command[\($0)]' contains a NUL character: remove it" }
  }

  private static func problem(with ports: [PortDescription]) -> String? {
    if ports.isEmpty { return "'ports' is empty: list at least one" }
    let components = ports.map(\.component)
    let index = components.indices.first { components[..<$0].contains(components[$0]) }
    return index.map {
      "'ports[\($0)]' repeats the component '\(components[$0])': give it another type or subtype"
    }
  }
}

extension NodeManifest {
  public func lists(_ component: ComponentDescription) -> Bool {
    ports.contains { $0.component == component }
  }
}

extension NodeManifest {
  /// Reads a manifest.
  ///
  /// - Parameter file: A path that ends in `NAME.json`.
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``ManifestError/unusable(file:reason:)`` with the file and the field.
  public static func read(_ file: String) throws(ManifestError) -> NodeManifest? {
    let fields: Fields?
    do {
      fields = try JSON5File.read(Fields.self, at: file)
    } catch {
      throw .unusable(file: file, reason: error.description)
    }
    guard let fields else { return nil }
    let name = file.folderAndName.name
    return try NodeManifest(
      name: String(name.hasSuffix(".json") ? name.dropLast(5) : name), command: fields.command,
      ports: fields.ports.map(\.description),
      chains: Dictionary(
        fields.ports.compactMap { port in port.nodes.map { (port.description.component, $0) } },
        uniquingKeysWith: { first, _ in first }),
      file: file)
  }

  /// Writes `NAME.json` into a folder, which is created if it does not exist. The file is replaced atomically: readers
  /// see the old or the new one.
  ///
  /// - Parameter folder: For a manifest of the user, the first of ``NodeDirectories/manifests``.
  /// - Throws: ``ManifestError/notWritten(file:reason:)``
  public func write(to folder: String) throws(ManifestError) {
    let file = "\(folder)/\(name).json"
    do {
      try NodeDirectories.create(folder, mode: 0o777)
    } catch {
      throw .notWritten(file: file, reason: error.description)
    }
    do {
      try JSON5File.write(
        Fields(
          command: command,
          ports: ports.map { Fields.Port(description: $0, nodes: chains[$0.component]) }),
        to: file)
    } catch {
      throw .notWritten(file: file, reason: error.description)
    }
  }
}

/// The file's JSON object.
private struct Fields: Codable {
  var manifest = NodeManifest.version
  var command: [String]
  var ports: [Port]

  /// The fields of the port description and `nodes`, in one object.
  struct Port: Codable {
    var description: PortDescription
    var nodes: [String]?

    private enum Key: String, CodingKey { case nodes }

    init(description: PortDescription, nodes: [String]?) {
      self.description = description
      self.nodes = nodes
    }

    init(from decoder: any Decoder) throws {
      description = try PortDescription(from: decoder)
      nodes = try decoder.container(keyedBy: Key.self).decodeIfPresent(
        [String].self, forKey: .nodes)
    }

    func encode(to encoder: any Encoder) throws {
      try description.encode(to: encoder)
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encodeIfPresent(nodes, forKey: .nodes)
    }
  }

  init(command: [String], ports: [Port]) {
    self.command = command
    self.ports = ports
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    // The version is checked first, because other versions may have other fields.
    let version = try fields.decode(Int.self, forKey: .manifest)
    if version != NodeManifest.version {
      throw decoder.invalidValue(
        "version \(version) is not supported, only version \(NodeManifest.version)",
        at: CodingKeys.manifest)
    }
    command = try fields.decode([String].self, forKey: .command)
    ports = try fields.decode([Port].self, forKey: .ports)
  }
}

extension NodeManifest {
  /// Checks the ports that a running node publishes against the manifest.
  ///
  /// Every published port must be listed in the manifest with the same name, version, icon and tags (in any order), and with
  /// the same channels if the manifest names them. A
  /// listed port need not be published.
  ///
  /// - Throws: ``PublishError`` for the first port that differs.
  public func check(published ports: [PortDescription]) throws(PublishError) {
    for port in ports {
      guard let promised = self.ports.first(where: { $0.component == port.component }) else {
        throw .notInManifest(port.component, file: file, listed: self.ports.map(\.component))
      }
      func compare(
        _ field: String, _ published: String, _ promised: String, isSame: Bool? = nil
      ) throws(PublishError) {
        if isSame ?? (published == promised) { return }
        throw .differs(
          port.component, field: field, published: published, promised: promised, file: file)
      }
      try compare("name", port.name, promised.name)
      try compare("version", port.version.description, promised.version.description)
      try compare("icon", port.icon ?? "none", promised.icon ?? "none")
      try compare(
        "tags", Self.list(port.tags), Self.list(promised.tags),
        isSame: Set(port.tags) == Set(promised.tags))
      if let channels = promised.channels {
        try compare("channels", port.channels?.text ?? "none", channels.text)
      }
    }
  }

  private static func list(_ tags: [String]) -> String {
    tags.isEmpty ? "none" : tags.sorted().joined(separator: ", ")
  }
}

/// A published port that differs from the manifest.
public enum PublishError: Error, Equatable, Sendable, CustomStringConvertible {
  case notInManifest(ComponentDescription, file: String, listed: [ComponentDescription])
  /// `field` is `name`, `version`, `icon`, `tags` or `channels`.
  case differs(
    ComponentDescription, field: String, published: String, promised: String, file: String)

  public var description: String {
    switch self {
    case .notInManifest(let component, let file, let listed):
      return "the component '\(component)' is published, but the manifest '\(file)' lists only "
        + listed.map { "'\($0)'" }.joined(separator: ", ") + ": list it there, or do not publish it"
    case .differs(let component, let field, let published, let promised, let file):
      return
        "'\(component)' is published with the \(field) '\(published)', but the manifest '\(file)' has "
        + "'\(promised)': make them the same"
    }
  }
}

extension NodeManifest {
  /// Returns the manifest of a node: the first with its name, so that a manifest of the user hides one of the system.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: ``ManifestError`` when the manifest is unusable. A manifest that it hides is not used instead, because
  ///   that one may start another program.
  public static func find(
    _ name: String, in directories: NodeDirectories
  ) throws(ManifestError) -> NodeManifest? {
    for folder in directories.manifests {
      if let manifest = try read("\(folder)/\(name).json") { return manifest }
    }
    return nil
  }

  /// Returns the manifests of all nodes, sorted by name, and the problems of unusable ones.
  static func all(
    in directories: NodeDirectories
  ) -> (manifests: [NodeManifest], problems: [ComponentProblem]) {
    var files: [String: String] = [:]
    var problems: [ComponentProblem] = []
    for folder in directories.manifests {
      do {
        for name in try Folder.names(in: folder, suffix: ".json") where files[name] == nil {
          files[name] = "\(folder)/\(name).json"
        }
      } catch {
        problems.append(ComponentProblem(path: folder, message: error.description))
      }
    }
    var manifests: [NodeManifest] = []
    for (_, file) in files.sorted(by: { $0.key < $1.key }) {
      do {
        if let manifest = try read(file) { manifests.append(manifest) }
      } catch {
        problems.append(ComponentProblem(path: file, message: error.description))
      }
    }
    return (manifests, problems)
  }
}
