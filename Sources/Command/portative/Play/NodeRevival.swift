import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// Brings the nodes of a chain back that are parked or gone, on a thread of its own: each attempt may take as long as a
/// node takes to answer.
///
/// All nodes of the chain are initialized anew, so that none goes on with what it played before.
final class NodeRevival: Sendable {
  private let state = Mutex(State())

  private struct State {
    var connections: [Connection]?
    var isCancelled = false
    /// Why the last attempt failed.
    var reason: String?
  }

  private static let shortestPause = 0.25
  private static let longestPause = 4.0

  /// Begins. Nobody else may use the connections until it is done or cancelled.
  ///
  /// - Parameters:
  ///   - pause: Seconds before the first attempt.
  init(
    _ chain: [Connection], _ connector: NodeConnector, _ format: Format, priority: Int,
    after pause: Double
  ) throws(SystemError) {
    try SystemThread(name: "portative-back") {
      self.run(chain, connector, format, priority, pause)
    }.detach()
  }

  /// The connections, once all are initialized; then it is over.
  func take() -> [Connection]? { state.withLock { $0.connections.take() } }

  var reason: String? { state.withLock { $0.reason } }

  /// Makes no attempt any more. One that is being made is left behind.
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
