import NodeHost
import RenderCore

/// A process of ``UnitNode``. It ends with the parent process.
struct UnitNodeProcess {
  private let process: BackgroundProcess
  private let socketPath: String

  /// Starts the node on the processors of the calling thread and waits until it listens.
  ///
  /// - Parameter number: A number that is unique among the nodes that run at the same time.
  init(_ number: Int = 0, in bench: Bench) throws {
    socketPath = "\(bench.scratch)/units-\(number).socket"
    process = try BackgroundProcess(
      try ownFolder() + "/bench", ["unit-node", socketPath], awaitsOutput: true)
  }

  /// Connects to a port and initializes it for offline rendering, which waits for each cycle without a deadline.
  func connect(_ node: UnitNode, frames: Int) throws -> Connection {
    let connection = try AudioHost(name: "bench").connect(
      to: node.component(), ofNode: "units", socketPath: socketPath)
    try connection.initialize(
      Format(
        sampleRate: 48_000, inputChannels: node == .plain ? 0 : 2, maximumFrames: frames),
      mode: .offline)
    return connection
  }

  func end() {
    process.end()
    deleteFile(socketPath)
  }
}
