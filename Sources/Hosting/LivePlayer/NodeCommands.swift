import NodeHost
import NodeProtocol
import Synchronization

/// Passes the commands and notices that nodes send, on the threads of their connections, to the current host.
final class NodeCommands: Sendable {
  /// The current host; `nil` before and after the song.
  let host = Mutex<LiveHost?>(nil)
  private let hasNewLatency = Atomic(false)

  /// Accepts the commands and notices of a node.
  func follow(_ connection: Connection) {
    connection.acceptCommands(Set(RemoteCommand.Kind.allCases)) { [self] command in
      guard let host = host.withLock({ $0 }) else { return false }
      // A song that has ended would otherwise be played beyond its end, and never be over.
      let continues = command == .togglePlay || command == .continue
      if continues, host.endsAlone, host.song.isOver { return false }
      return host.execute(command)
    }
    connection.onNotice = { [self] in
      if case .latency = $0 { hasNewLatency.store(true, ordering: .relaxed) }
    }
  }

  /// Returns whether a node's latency has changed since the last call.
  func takeLatencyChange() -> Bool { hasNewLatency.exchange(false, ordering: .relaxed) }
}
