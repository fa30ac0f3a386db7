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
