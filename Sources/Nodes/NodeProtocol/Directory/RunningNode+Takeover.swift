import Glibc
import LocalSystem

extension RunningNode {
  /// Claims a name as ``claim(_:in:)`` does, also if a node has it that was started for a host: ends that node first. Its
  /// hosts find this node when they connect again.
  ///
  /// - Parameters:
  ///   - limit: The longest wait for that node to end.
  ///   - onTakeover: Called with the process that is being ended.
  /// - Throws: ``NodeError``; ``NodeError/nodeIsRunning(name:processID:)`` when another process has the name that was not
  ///   started for a host, or that has not ended in time.
  package static func takeOver(
    _ name: String, in directories: NodeDirectories, within limit: Duration = .seconds(10),
    onTakeover: (_ processID: Int32) -> Void = { _ in }
  ) throws(NodeError) -> RunningNode {
    // Hosts that have lost the node wait for this lock, instead of starting the node again.
    var turn: FileLock?
    defer { turn?.removeFile() }
    var ended: Int32?
    let deadline = ContinuousClock.now + limit
    while true {
      do {
        return try claim(name, in: directories)
      } catch {
        guard case .nodeIsRunning = error, ContinuousClock.now < deadline else { throw error }
        let holder = try? PublishedNode.find(name, in: directories)
        if let holder, !holder.wasLaunched { throw error }
        if turn == nil { turn = try FileLock.exclusive(directories.launchLockFile(of: name)) }
        // A host that has the lock is still waiting for the ports of the node.
        if turn != nil, let holder, holder.processID != ended {
          ended = holder.processID
          onTakeover(holder.processID)
          kill(holder.processID, SIGTERM)
        }
      }
      // Polls, as hosts do that start a node.
      usleep(5000)
    }
  }
}
