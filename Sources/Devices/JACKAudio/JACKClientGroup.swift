import CJACK
import Dispatch
import LocalSystem
import Synchronization

/// The open clients of this process, of which JACK's library connects all to one server.
///
/// When a client is opened after the server has ended, the library frees all others, although they are still in use.
/// Therefore, the end of the server is a loss of all clients, and a client is opened only when the lost ones are closed.
///
/// Two ends are not reported in time. When a busy machine delays the library's threads, a client may be opened with the next
/// server before the end of the last one is noticed; it then uses semaphores of the last one, for which the new server waits
/// in vain. When a server refuses a client while it is opened, the library may believe that the server has ended, and tells
/// no client so. In both cases, calls of the other clients fail. Therefore, they are checked before a client is opened.
///
/// Threads: any.
final class JACKClientGroup: Sendable {
  /// The group of this process.
  static let shared = JACKClientGroup()

  typealias ReachabilityCheck = @Sendable (_ seconds: Double) -> Bool?

  private struct Client {
    var isLost = false
    /// Whether the library may have freed the client.
    var isAbandoned = false
    var report: (@Sendable () -> Void)?
    /// Whether calls of the client reach the server; `nil` if that is not known after so many seconds.
    var isReachable: ReachabilityCheck?
  }

  private struct State {
    var clients: [Int: Client] = [:]
    var latest = 0
    /// The number of ends that have led to the loss of all clients.
    var lostEnds = 0
  }

  private let state = Mutex(State())
  /// The number of reports that a server has ended.
  private let ends = Atomic(0)
  /// Has an entry for each lost client that is not closed.
  private let lost = DispatchGroup()

  /// Notes that the server of a client has ended, before the loss of all clients is reported.
  ///
  /// Realtime: yes. JACK's library knows of the end when it calls the shutdown callback, which must call this first.
  @_noLocks func noteEnd() { ends.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Opens a client.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait for answers to the others, and then until the lost clients are closed.
  ///   - cleanups: Returns how many times the library has freed all clients.
  ///   - open: Opens the client by JACK's library. If the server of the others has ended meanwhile, all are lost; those that
  ///     the library has freed are not used any more.
  /// - Returns: The result of `open`; `nil` if the lost clients have not been closed in time.
  func open<Result>(
    within seconds: Double, cleanups: () -> UInt32 = cjack_cleanups, _ open: () -> Result
  ) -> Result? {
    let count = ends.load(ordering: .sequentiallyConsistent)
    loseAllIfEnded()
    loseAllIfUnreachable(within: seconds)
    guard waitForLostClients(within: seconds) else { return nil }
    let older = state.withLock { $0.latest }
    let earlierCleanups = cleanups()
    let result = open()
    if cleanups() != earlierCleanups {
      abandon(upTo: older)
    } else if ends.load(ordering: .sequentiallyConsistent) != count {
      loseAll()
    }
    return result
  }

  /// Abandons the clients up to a number. Their memory is leaked rather than freed twice.
  private func abandon(upTo number: Int) {
    state.withLock { state in
      for client in state.clients.keys where client <= number {
        state.clients[client]?.isAbandoned = true
      }
    }
    loseAll()
  }

  /// Whether JACK's library may have freed a client, which must not be used any more.
  func isAbandoned(_ client: Int) -> Bool {
    state.withLock { $0.clients[client]?.isAbandoned ?? false }
  }

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

  /// Whether a client is lost.
  func isLost(_ client: Int) -> Bool { state.withLock { $0.clients[client]?.isLost ?? false } }

  /// Reports the loss of all open clients if a server has ended since the last loss.
  func loseAllIfEnded() {
    let count = ends.load(ordering: .sequentiallyConsistent)
    if count != state.withLock({ $0.lostEnds }) { loseAll() }
  }

  /// Sets the closure that checks whether calls of a client reach the server.
  func setCheck(_ isReachable: @escaping ReachabilityCheck, of client: Int) {
    state.withLock { $0.clients[client]?.isReachable = isReachable }
  }

  /// Reports the loss of all open clients if calls of one do not reach the server any more.
  ///
  /// A client without an answer is not lost: it may wait for something else, such as JACK's database.
  ///
  /// - Parameter seconds: The longest time to wait for all answers. Each has a tenth of a second in any case.
  func loseAllIfUnreachable(within seconds: Double) {
    let checks = state.withLock {
      $0.clients.values.filter { !$0.isLost }.compactMap(\.isReachable)
    }
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    let isUnreachable = checks.contains { isReachable in
      isReachable(max(0.1, Double(limit - MonotonicClock.now) / 1e9)) == false
    }
    if isUnreachable { loseAll() }
  }

  /// Reports the loss of all open clients, because the server of one has ended.
  func loseAll() {
    let reports = state.withLock { state in
      state.lostEnds = ends.load(ordering: .sequentiallyConsistent)
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
