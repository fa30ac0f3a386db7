import Foundation
package import TestSupport

/// A user with temporary folders. Deinitialization kills the user's nodes and deletes the folders.
package final class TemporaryUser {
  package let folder: TemporaryFolder
  package var variables: [String: String]
  /// A program with arguments that starts the user's programs.
  package var wrapper: [String] = []
  /// References to the programs, which are killed on deinitialization.
  private var programs: [Program] = []

  package init() throws {
    folder = try TemporaryFolder()
    variables = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "PORTATIVE_SOUNDFONT": bundledSoundFont,
      "XDG_RUNTIME_DIR": folder("run"), "XDG_DATA_HOME": folder("data"),
      "XDG_DATA_DIRS": folder("system"), "XDG_STATE_HOME": folder("state"),
      "XDG_CONFIG_HOME": folder("config"),
    ]
    variables.merge(Sanitizer.variables) { _, new in new }
    for name in ["run", "config/portative", "data/portative/nodes"] {
      try FileManager.default.createDirectory(
        atPath: folder(name), withIntermediateDirectories: true)
    }
  }

  deinit {
    for node in nodes { if let process = process(of: node) { kill(process, SIGKILL) } }
  }

  package func start(_ arguments: String..., outputPath: String? = nil) throws -> Program {
    try start(arguments, outputPath: outputPath)
  }

  package func start(_ arguments: [String], outputPath: String? = nil) throws -> Program {
    let program = try Program(
      arguments, variables: variables, outputPath: outputPath, through: wrapper)
    programs.append(program)
    return program
  }

  package func run(_ arguments: String...) throws -> ProgramResult {
    try run(arguments: arguments)
  }

  package func run(arguments: [String]) throws -> ProgramResult {
    try Program(arguments, variables: variables, through: wrapper).result()
  }

  /// Starts a server and waits until it has published its ports.
  ///
  /// The server does not use this machine's keyboards and sound devices unless the arguments name some.
  @discardableResult
  package func serve(_ arguments: String..., node: String = "portative") throws -> Program {
    try serve(arguments, node: node)
  }

  @discardableResult
  package func serve(_ arguments: [String], node: String = "portative") throws -> Program {
    let quiet = [["--midi", "none"], ["--audio", "none"]].filter { !arguments.contains($0[0]) }
    let server = try Program(
      ["serve", "--name", node] + quiet.joined() + arguments, variables: variables,
      through: wrapper)
    programs.append(server)
    try server.wait { self.ports(of: node)?.isEmpty == false }
    return server
  }

  /// Writes the configuration.
  package func configure(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder("config/portative/config.json")))
  }

  /// Configures servers to publish one instrument only.
  package func configureOnePort() throws {
    try configure(
      #"{ ports: [{ name: "Portative: General MIDI", subtype: "gmsy", tags: ["General MIDI"] }] }"#)
  }

  /// The names of the nodes that are running or have left their files.
  package var nodes: [String] {
    files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  /// The files in the folder of running nodes, without locks, which are never deleted, and partial files.
  package var files: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder("run/portative"))
    return (names ?? []).filter { ![".lock", ".turn", ".partial"].contains(where: $0.hasSuffix) }
      .sorted()
  }

  private func published(_ node: String) -> [String: Any]? {
    let data = try? Data(contentsOf: URL(filePath: folder("run/portative/\(node).json")))
    return data.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }

  /// Returns the names of a node's ports, or `nil` if the node has not published its file.
  package func ports(of node: String) -> [String]? {
    (published(node)?["ports"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
  }

  package func process(of node: String) -> Int32? {
    (published(node)?["processID"] as? Int).map(Int32.init)
  }
}

extension String {
  package var objects: [[String: Any]] {
    split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}
