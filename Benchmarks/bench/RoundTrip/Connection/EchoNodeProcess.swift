import FoundationEssentials
import Glibc
import NodeHost

/// The node's process. It ends with the parent, because its standard input is then closed.
struct EchoNodeProcess {
  private let process: BackgroundProcess
  private let folder: String

  private var socketPath: String { folder + "/echo.socket" }

  /// Starts the node on the processors of the calling thread and waits until it listens.
  init(_ options: EchoOptions) throws {
    folder = FileManager.default.temporaryDirectory.path + "/portative-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process = try BackgroundProcess(
      try ownFolder() + "/bench",
      ["connection-node", folder + "/echo.socket"] + (options.touches ? ["--touch"] : []),
      awaitsOutput: true)
  }

  func connect() throws -> Connection {
    try AudioHost(name: "bench").connect(
      to: EchoNode.component(), ofNode: "echo", socketPath: socketPath)
  }

  func end() {
    process.end()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
