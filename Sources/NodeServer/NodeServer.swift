public import Components
import Dispatch
import Glibc
public import HostConnection
public import RenderCore
import Synchronization

/// Publishes ports for hosts to connect to: the node's side of every connection.
///
/// Each host that connects has a thread of its own that answers it, and each initialized port one that
/// renders it; so a port that hangs, is parked or disconnects disturbs no other.
///
/// Realtime: no. Threads: any.
public final class NodeServer: @unchecked Sendable {
  /// This process, as hosts see it.
  public let peer: Peer
  /// Seconds after which a host that does not render is parked; `nil`: never.
  public let evictionLimit: Double?
  let tender = Tender()
  private let listener: PacketListener
  private let state = Mutex(State())
  private let tellEvent: @Sendable (ServerEvent) -> Void
  private let sessions = DispatchGroup()

  private struct State {
    var ports: [PublishedPort] = []
    var open: [ObjectIdentifier: HostSession] = [:]
    var isStopping = false
  }

  /// Hosts that may be connected at once.
  public static let maximumHosts = 1024

  /// Listens at a path, where nothing may be.
  ///
  /// - Parameters:
  ///   - tell: Gets what happens, on threads of the server's.
  package init(
    socketPath: String, peer: Peer, evictionLimit: Double? = 2,
    tell: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(SystemError) {
    self.peer = peer
    self.evictionLimit = evictionLimit
    tellEvent = tell
    listener = try PacketListener(path: socketPath)
    try tender.start()
    try SystemThread(name: "portative-doors") { self.listen() }.detach()
  }

  /// Offers a port.
  @discardableResult
  public func publish(
    _ description: PortDescription, _ source: any RenderUnitSource
  ) -> PublishedPort {
    let port = PublishedPort(description, source)
    state.withLock { $0.ports.append(port) }
    return port
  }

  /// Takes a port back. Its host, if it has one, finds the connection lost.
  public func withdraw(_ port: PublishedPort) {
    state.withLock { $0.ports.removeAll { $0 === port } }
    port.session?.close(saying: .withdrawn)
  }

  public var ports: [PublishedPort] { state.withLock { $0.ports } }

  /// What is published, and how it is doing.
  public var report: NodeReport { NodeReport(node: peer, ports: ports.map(\.report)) }

  /// Withdraws everything and ends every connection. The server is of no use afterwards.
  public func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      state.ports = []
      return Array(state.open.values)
    }
    listener.close()
    for session in open { session.close(saying: .withdrawn) }
    _ = sessions.wait(timeout: .now() + 3)
    tender.stop()
  }

  func tell(_ event: ServerEvent) { tellEvent(event) }

  func port(_ component: ComponentDescription) throws(Refusal) -> PublishedPort {
    if let port = ports.first(where: { $0.description.component == component }) { return port }
    let known = ports.map { "\($0.description.component)" }.joined(separator: "; ")
    throw Refusal(
      .noSuchPort,
      "this node does not publish '\(component)': it has " + (known.isEmpty ? "nothing" : known))
  }

  private func listen() {
    while true {
      switch listener.accept() {
      case .success(let socket): letIn(socket)
      case .failure(let error):
        if state.withLock({ $0.isStopping }) { return }
        tell(.notAccepted(reason: error.description))
        // Out of descriptors, most likely: in a moment there may be some.
        usleep(100_000)
      }
    }
  }

  private func letIn(_ socket: PacketSocket) {
    let session = HostSession(socket, self)
    let isFull = state.withLock { state in
      if state.isStopping || state.open.count >= Self.maximumHosts { return true }
      state.open[ObjectIdentifier(session)] = session
      return false
    }
    if isFull {
      let reason = "this node has \(Self.maximumHosts) hosts, which is its limit: close one"
      return session.close(saying: .refused(Refusal(.tooManyConnections, reason)))
    }
    sessions.enter()
    do throws(SystemError) {
      try SystemThread(name: "portative-host") { self.serve(session) }.detach()
    } catch {
      tell(.notAccepted(reason: error.description))
      session.close()
      leave(session)
    }
  }

  private func serve(_ session: HostSession) {
    session.run()
    leave(session)
  }

  private func leave(_ session: HostSession) {
    _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(session)) }
    sessions.leave()
  }
}
