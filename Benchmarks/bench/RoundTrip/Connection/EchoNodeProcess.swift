import FoundationEssentials
import Glibc
import NodeHost

/// The node's process, which ends with ours: when its standard input does.
struct EchoNodeProcess {
  private let companion: Companion
  private let folder: String

  private var socketPath: String { folder + "/echo.socket" }

  /// Starts it, where the calling thread may run, and waits until it listens.
  init(_ options: EchoOptions) throws {
    folder = FileManager.default.temporaryDirectory.path + "/portative-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    companion = try Companion(
      try ownFolder() + "/bench",
      ["connection-node", folder + "/echo.socket"] + (options.touches ? ["--touch"] : []),
      awaitsWord: true)
  }

  func connect() throws -> Connection {
    try AudioHost(name: "bench").connect(
      to: EchoNode.component(), ofNode: "echo", socketPath: socketPath)
  }

  func end() {
    companion.end()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
