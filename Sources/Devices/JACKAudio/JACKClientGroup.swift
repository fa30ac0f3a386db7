import Dispatch
import Synchronization

/// The open clients of this process, of which JACK's library connects all to one server.
///
/// When a client is opened after the server has ended, the library frees all others, although they are still in use.
/// Therefore, the end of the server is a loss of all clients, and a client is opened only when the lost ones are closed.
///
/// Threads: any.
final class JACKClientGroup: Sendable {
  /// The group of this process.
  static let shared = JACKClientGroup()

  private struct Client {
    var isLost = false
    var report: (@Sendable () -> Void)?
  }

  private struct State {
    var clients: [Int: Client] = [:]
    var latest = 0
  }

  private let state = Mutex(State())
  /// Has an entry for each lost client that is not closed.
  private let lost = DispatchGroup()

  /// Waits until all lost clients are closed.
  ///
  /// - Parameter seconds: The longest time to wait.
  /// - Returns: Whether they are.
  func waitForLostClients(within seconds: Double) -> Bool {
    lost.wait(timeout: .now() + seconds) == .success
  }

  /// Adds a client that is open.
  ///
  /// - Returns: The number of the client.
  func add() -> Int {
    state.withLock { state in
      state.latest += 1
      state.clients[state.latest] = Client()
      return state.latest
    }
  }

  /// Sets the closure to which the loss of a client is reported. It is called at once if the client is lost.
  func setReport(_ report: @escaping @Sendable () -> Void, of client: Int) {
    let isLost = state.withLock { state in
      state.clients[client]?.report = report
      return state.clients[client]?.isLost ?? false
    }
    if isLost { report() }
  }

  /// Reports the loss of all open clients, because the server of one has ended.
  func loseAll() {
    let reports = state.withLock { state in
      var reports: [@Sendable () -> Void] = []
      for (number, client) in state.clients where !client.isLost {
        state.clients[number]?.isLost = true
        lost.enter()
        if let report = client.report { reports.append(report) }
      }
      return reports
    }
    for report in reports { report() }
  }

  /// Removes a client that is closed.
  func remove(_ client: Int) {
    let removed = state.withLock { $0.clients.removeValue(forKey: client) }
    if removed?.isLost == true { lost.leave() }
  }
}
