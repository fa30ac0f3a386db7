import Foundation
import ProgramTestSupport
import TestSupport

/// `Examples/host.py` and `Examples/node.c`, as their users run them.
enum ExamplePrograms {
  struct CompilationFailure: Error {
    let messages: String
  }

  /// The path of `node.c`, compiled with warnings as errors.
  static let node = Result { try compile("acme-synth", ["-O2"]) }
  /// The same, with AddressSanitizer and UndefinedBehaviorSanitizer.
  static let checkedNode = Result {
    try compile(
      "acme-synth-checked",
      ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
  }

  /// Compiles `node.c` with a part of its text replaced.
  static func faultyNode(_ text: String, _ fault: String) throws -> String {
    let source = try String(contentsOfFile: repositoryFile("Examples/node.c"), encoding: .utf8)
    guard let place = source.range(of: text, options: .backwards) else {
      throw CompilationFailure(messages: "Examples/node.c has no '\(text)'")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "node.c")
    try Data(source.replacingCharacters(in: place, with: fault).utf8).write(to: file)
    return try compile("faulty-\(UUID().uuidString)", ["-O2", "-Wno-error"], source: file.path())
  }

  private static func compile(
    _ name: String, _ options: [String], source: String = repositoryFile("Examples/node.c")
  ) throws -> String {
    let path = Program.path.deletingLastPathComponent().appending(path: name).path()
    let warnings = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    let result = try Program(
      warnings + options + [
        "-o", path, source, "-I", repositoryFile("Sources/C/CSegment"),
        "-ljson-c", "-lm", "-lpthread",
      ], program: "/usr/bin/gcc"
    ).result(within: 60)
    guard result.exitCode == 0 else { throw CompilationFailure(messages: result.errors) }
    return path
  }

  /// Starts `host.py`.
  static func host(_ arguments: String..., user: TemporaryUser) throws -> Program {
    try Program(
      [repositoryFile("Examples/host.py")] + arguments, program: "/usr/bin/python3",
      variables: user.variables)
  }
}

extension TemporaryUser {
  /// Installs a manifest of `node.c` with the node's name `acme`.
  func installExampleNode(program: String) throws {
    let manifest = """
      {
        "manifest": 1, "command": ["\(program)", "acme"],
        "ports": [{
          "type": "instrument", "subtype": "tria", "manufacturer": "Acme",
          "name": "Acme: Triangle", "version": "1.0.0"
        }]
      }
      """
    try Data(manifest.utf8).write(to: URL(filePath: folder("data/portative/nodes/acme.json")))
  }

  /// Starts `node.c` without a host, and waits until it has published its port.
  func startExampleNode(program: String) throws -> Program {
    let node = try Program(["acme"], program: program, variables: variables)
    try node.wait { self.ports(of: "acme")?.isEmpty == false }
    return node
  }
}
