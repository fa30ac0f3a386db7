import LiveMIDI
import LocalSystem
import NodeServer
import PortativeServer
import RenderCore
import Synchronization

/// Plays what is pressed in a page on a port, as a source of its own, which ends when the page is gone.
///
/// Threads: that of the web server.
final class PanelPlayer {
  private let source: LiveInput.Source
  private let pool: PanelSources
  private var input: LiveInput?

  /// - Returns: `nil` if too many pages play.
  init?(_ pool: PanelSources) {
    guard let source = pool.take() else { return nil }
    (self.source, self.pool) = (source, pool)
  }

  deinit {
    leave()
    pool.put(source)
  }

  /// Connects to a port, instead of to another one.
  func play(_ port: PublishedPort?) {
    if port?.input === input { return }
    leave()
    input = port?.input
    input?.connect(source, named: PanelSources.name)
  }

  /// Ends the page as a source.
  func leave() {
    input?.disconnect(source, at: MonotonicClock.now)
    input = nil
  }

  func release() { input?.release(source, at: MonotonicClock.now) }

  /// Plays a channel message.
  ///
  /// - Returns: `false` if the bytes are not one.
  func send(_ bytes: [UInt8]) -> Bool {
    let decoded = bytes.withUnsafeBufferPointer { MIDIMessage($0) }
    guard case .channel(let message) = decoded else { return false }
    input?.send(.channel(message), from: source, at: MonotonicClock.now)
    return true
  }
}

/// The numbers of sources that pages have. Threads: any.
final class PanelSources: Sendable {
  /// The name of all pages as players.
  static let name = "Panel"

  private let free = Mutex(Set(LiveInput.Source.programs))

  func take() -> LiveInput.Source? {
    free.withLock { free in
      guard let number = free.min() else { return nil }
      free.remove(number)
      return LiveInput.Source(number)
    }
  }

  func put(_ source: LiveInput.Source) { free.withLock { _ = $0.insert(source.number) } }
}
