import NodeHost
import RenderCore

/// A process of ``UnitNode``, which ends with ours.
struct UnitNodeProcess {
  private let companion: Companion
  private let socketPath: String

  /// Starts it, where the calling thread may run, and waits until it listens.
  ///
  /// - Parameter number: Another for each that runs at a time.
  init(_ number: Int = 0, in bench: Bench) throws {
    socketPath = "\(bench.scratch)/units-\(number).socket"
    companion = try Companion(
      try ownFolder() + "/bench", ["unit-node", socketPath], awaitsWord: true)
  }

  /// Takes a port and initializes it; a cycle is waited for as long as it takes.
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
    companion.end()
    deleteFile(socketPath)
  }
}
