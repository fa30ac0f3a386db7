import CProcess
import FoundationEssentials
import Glibc
import NodeHost

/// The node's process, which ends with ours: when its standard input does.
struct EchoNodeProcess {
  private let process: pid_t
  private let input: Int32
  private let folder: String

  private var socketPath: String { folder + "/echo.socket" }

  /// Starts it, where the calling thread may run, and waits until it listens.
  init(_ options: EchoOptions) throws {
    folder = FileManager.default.temporaryDirectory.path + "/portative-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var toNode: [Int32] = [-1, -1]
    var fromNode: [Int32] = [-1, -1]
    guard pipe2(&toNode, O_CLOEXEC) == 0, pipe2(&fromNode, O_CLOEXEC) == 0 else {
      throw BenchError("no pipe to be had")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toNode[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromNode[1], 1)
    let program = try ownFolder() + "/bench"
    let words = [program, "connection-node", folder + "/echo.socket"]
    var argv = (words + (options.touches ? ["--touch"] : [])).map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &argv, environ) == 0 else {
      throw BenchError("cannot start '\(program)'")
    }
    self.process = process
    input = toNode[1]
    close(toNode[0])
    close(fromNode[1])
    var byte: UInt8 = 0
    let isReady = read(fromNode[0], &byte, 1) == 1
    close(fromNode[0])
    if !isReady { throw BenchError("the node did not begin") }
  }

  func connect() throws -> Connection {
    try AudioHost(name: "bench").connect(
      to: EchoNode.component(), ofNode: "echo", socketPath: socketPath)
  }

  func end() {
    close(input)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
