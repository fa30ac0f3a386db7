import LocalSystem

/// Waits until JACK's thread for notifications has ended, after the server has.
///
/// `jack_client_close` cancels that thread at any instruction. If it holds a lock of the library then, as while it handles
/// the end of another client, no client of the process can be closed or opened any more. When the connection to the server
/// breaks, the thread calls one of the two shutdown callbacks, and takes no lock afterwards. It calls the first one also
/// when the server announces its end, and goes on.
///
/// Realtime: ``receive(_:)`` is. Threads: any.
final class JACKFarewell: Sendable {
  private let words = SharedWords(count: 1)

  enum Callback: UInt32 {
    /// That of `jack_on_info_shutdown`, which is called first.
    case first = 1
    /// That of `jack_on_shutdown`, which is called second, if at all.
    case second = 2
  }

  deinit { words.destroy() }

  /// JACK's thread calls this in a shutdown callback.
  @_noLocks func receive(_ callback: Callback) {
    words[0].store(callback.rawValue)
    words[0].wake()
  }

  /// Waits for the end of the thread.
  ///
  /// - Parameters:
  ///   - seconds: The longest time until the first callback.
  ///   - grace: The longest time from then until the second one. A server that was killed causes only the first.
  func wait(within seconds: Double = 3, grace: Double = 1) {
    wait(while: 0, seconds)
    wait(while: Callback.first.rawValue, grace)
  }

  private func wait(while value: UInt32, _ seconds: Double) {
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while words[0].value == value, words[0].wait(while: value, until: limit) {}
  }
}
