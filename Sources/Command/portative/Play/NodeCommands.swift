import NodeProtocol
import SongHost
import Synchronization

/// What nodes command and say, on threads of their connections: for the host that plays the song now.
final class NodeCommands: Sendable {
  /// `nil` before the song and after it.
  let host = Mutex<LiveHost?>(nil)
  /// Whether a node's latency has changed.
  let mustAlign = Atomic(false)

  func obey(_ command: RemoteCommand) -> Bool { host.withLock { $0 }?.execute(command) ?? false }
}
