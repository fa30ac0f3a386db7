import Synchronization

/// The frame of a server's counter that is position 0, for all clients that are active at the same time.
///
/// Realtime: no. Threads: any.
public final class JACKTimeline: Sendable {
  private let state = Mutex<(origin: UInt32, users: Int)>((0, 0))

  public init() {}

  /// Adds a client.
  ///
  /// - Parameter frame: The server's frame counter now.
  /// - Returns: The server's frame that is position 0: that of the first client.
  func begin(at frame: UInt32) -> UInt32 {
    state.withLock { state in
      if state.users == 0 { state.origin = frame }
      state.users += 1
      return state.origin
    }
  }

  /// Removes a client.
  func end() { state.withLock { $0.users -= 1 } }
}
