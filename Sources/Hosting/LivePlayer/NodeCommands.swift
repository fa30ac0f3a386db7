import NodeProtocol
import SongHost
import Synchronization

/// Passes the commands and notices that nodes send, on the threads of their connections, to the current host.
final class NodeCommands: Sendable {
  /// The current host; `nil` before and after the song.
  let host = Mutex<LiveHost?>(nil)
  /// Whether a node's latency has changed.
  let mustAlign = Atomic(false)

  func obey(_ command: RemoteCommand) -> Bool { host.withLock { $0 }?.execute(command) ?? false }
}
