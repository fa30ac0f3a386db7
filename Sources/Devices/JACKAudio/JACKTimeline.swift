import LocalSystem
import Synchronization

/// The frame of a server's counter that is position 0, for all clients that are active at the same time: the first one
/// that any of them renders.
///
/// Threads: any.
public final class JACKTimeline: Sendable {
  private let users = Mutex(0)
  /// The frame; 0: no client has rendered a cycle yet.
  private let words = SharedWords(count: 1)

  public init() {}

  deinit { words.destroy() }

  /// Adds a client.
  func begin() {
    users.withLock { users in
      if users == 0 { words[0].store(0) }
      users += 1
    }
  }

  /// Removes a client.
  func end() { users.withLock { $0 -= 1 } }

  /// Where render threads find the frame. Valid as long as this object exists.
  var origin: JACKOrigin { JACKOrigin(word: words[0]) }
}

/// The frame of a server's counter that is position 0.
///
/// Realtime: yes. Threads: any.
struct JACKOrigin: BitwiseCopyable {
  fileprivate let word: SharedWord

  /// Returns the frame, which is that of the first cycle for which any client calls this.
  ///
  /// - Parameter first: The frame at which a cycle begins.
  @_noLocks func frame(in first: UInt32) -> UInt32 {
    // 0 stands for none. A frame less is no loss.
    _ = word.exchange(0, for: first == 0 ? .max : first)
    return word.value
  }
}
