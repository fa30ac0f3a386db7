import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// Recovers a chain with parked or lost nodes, on a thread of its own, because each attempt may take as long as a node
/// takes to answer.
///
/// All nodes of the chain are initialized again, so that no node continues what it played before.
final class NodeRevival: Sendable {
  private let state = Mutex(State())

  private struct State {
    var connections: [Connection]?
    var isCancelled = false
    /// The reason why the last attempt failed.
    var reason: String?
  }

  private static let shortestPause = 0.25
  private static let longestPause = 4.0

  /// Starts the recovery. The caller must not use the connections until it is done or cancelled.
  ///
  /// - Parameters:
  ///   - pause: The seconds before the first attempt.
  init(
    _ chain: [Connection], _ connector: NodeConnector, _ format: Format, priority: Int,
    after pause: Double
  ) throws(SystemError) {
    try SystemThread(name: "portative-back") {
      self.run(chain, connector, format, priority, pause)
    }.detach()
  }

  /// Removes and returns the connections once all are initialized, which ends the recovery.
  func take() -> [Connection]? { state.withLock { $0.connections.take() } }

  var reason: String? { state.withLock { $0.reason } }

  /// Stops further attempts. An attempt in progress continues, and its result is discarded.
  func cancel() { state.withLock { $0.isCancelled = true } }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run(
    _ chain: [Connection], _ connector: NodeConnector, _ format: Format, _ priority: Int,
    _ first: Double
  ) {
    var (chain, pause) = (chain, Self.shortestPause)
    wait(first)
    while !isCancelled {
      do throws(ConnectionError) {
        for index in chain.indices {
          if case .lost = chain[index].status {
            chain[index] = try connector.reconnect(chain[index])
          }
          chain[index].uninitialize()
          try chain[index].initialize(
            format.played(by: chain[index]), mode: .realtime, priority: priority)
        }
        state.withLock { $0.connections = chain }
        return
      } catch {
        state.withLock { $0.reason = error.description }
      }
      wait(pause)
      pause = min(2 * pause, Self.longestPause)
    }
  }

  private func wait(_ seconds: Double) {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while MonotonicClock.now < end, !isCancelled { usleep(20_000) }
  }
}
