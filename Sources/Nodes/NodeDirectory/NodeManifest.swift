import LocalSystem

/// What a program offers and how it is started, said before it runs: a file `NAME.json` in one of
/// ``NodeDirectories/manifests``.
///
/// ```json5
/// {
///   manifest: 1,
///   command: ["portative", "serve"],  // looked up in PATH, unless it is an absolute path
///   ports: [
///     {
///       type: "instrument", subtype: "gmsy", manufacturer: "Ptvo",
///       name: "Portative: General MIDI", version: "1.0.0", tags: ["piano"],
///       nodes: ["organ/Flutes"],      // only of a chain: the ports that it plays
///     },
///   ],
/// }
/// ```
/// The file is JSON5. Fields that are not known are ignored, for the sake of newer versions.
public struct NodeManifest: Hashable, Sendable {
  /// The node's, and the file's without `.json`.
  public let name: String
  /// The program and its arguments, 1 or more; it stays in the foreground and publishes the ports.
  public let command: [String]
  /// 1 or more, each of another component.
  public let ports: [PortDescription]
  /// The ports that some of its ports play in turn, by name: those that are chains of other nodes' ports. So that
  /// a chain that would contain itself is found before it is played.
  public let chains: [ComponentDescription: [String]]
  /// Where it was read; a bare `NAME.json` if it was not.
  public let file: String

  /// The version of the format that is read and written.
  public static let version = 1

  /// - Throws: ``ManifestError`` when a value will not do.
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
    if let reason = Self.fault(command) ?? Self.fault(ports) {
      throw .unusable(file: file, reason: reason)
    }
    self.name = name
    self.command = command
    self.ports = ports
    self.chains = chains
    self.file = file
  }

  private static func fault(_ command: [String]) -> String? {
    guard let program = command.first, !program.isEmpty else {
      return "'command' is empty: write the program and its arguments"
    }
    if program.contains("/"), !program.hasPrefix("/") {
      return "'command[0]' is '\(program)', which hosts run elsewhere would not find: write an "
        + "absolute path, or a bare name to be looked up in PATH"
    }
    let index = command.firstIndex { $0.utf8.contains(0) }
    return index.map { "'command[\($0)]' has a character of value 0: leave it out" }
  }

  private static func fault(_ ports: [PortDescription]) -> String? {
    if ports.isEmpty { return "'ports' is empty: list at least one" }
    let components = ports.map(\.component)
    let index = components.indices.first { components[..<$0].contains(components[$0]) }
    return index.map {
      "'ports[\($0)]' is '\(components[$0])', like one before it: give it another type or subtype"
    }
  }
}

extension NodeManifest {
  public func lists(_ component: ComponentDescription) -> Bool {
    ports.contains { $0.component == component }
  }
}
