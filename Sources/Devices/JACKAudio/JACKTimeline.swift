import Synchronization

/// The frame of a server's counter that is position 0, for all clients that are active at the same time.
///
/// Realtime: no. Threads: any.
public final class JACKTimeline: Sendable {
  private let state = Mutex<(origin: UInt32, users: Int)>((0, 0))

  public init() {}

  /// Adds a client.
  ///
  /// - Parameter frame: An estimate of the server's frame counter now.
  /// - Returns: The server's frame that is position 0: a minute before the first client was added. The estimate of a busy
  ///   server may be later than the next cycle, whose position would be negative.
  func begin(at frame: UInt32, sampleRate: Int) -> UInt32 {
    state.withLock { state in
      if state.users == 0 { state.origin = frame &- UInt32(60 * sampleRate) }
      state.users += 1
      return state.origin
    }
  }

  /// Removes a client.
  func end() { state.withLock { $0.users -= 1 } }
}
