import CLinux
import Dispatch
import Glibc
package import LocalSystem
public import NodeProtocol
public import RenderCore
import Synchronization

/// A server that publishes ports: the node's side of all connections.
///
/// Every connected host has its own thread for messages, and every initialized port its own render thread. So a port
/// that hangs, is parked or disconnects does not affect other ports.
///
/// Realtime: no. Threads: any.
public final class NodeServer: @unchecked Sendable {
  /// The properties of this process that hosts receive.
  public let peer: Peer
  /// The time in seconds after which a port whose host does not render is parked; `nil` for never.
  public let evictionLimit: Double?
  let deferredWork = DeferredWorkThread()
  /// The claimed node name, held while the server runs; `nil` for a server that hosts cannot find by name.
  private let presence: RunningNode?
  private let directories: NodeDirectories
  /// `nil` for a server that only this process reaches.
  private let listener: PacketListener?
  /// The maximum number of connected hosts.
  let maximumHosts: Int
  /// Returns the time in nanoseconds, as ``MonotonicClock`` does.
  let now: @Sendable () -> Int64
  private let state = Mutex(State())
  private let onEvent: @Sendable (ServerEvent) -> Void
  private let sessions = DispatchGroup()

  fileprivate struct State {
    var ports: [PublishedPort] = []
    var open: [ObjectIdentifier: HostSession] = [:]
    /// The sessions in ``open`` that have been disconnected but have not ended yet.
    var closing: Set<ObjectIdentifier> = []
    /// Whether so much memory was allocated that it should be returned to the system when the hosts disconnect.
    var shouldTrim = false
    var isStopping = false
    var sound: String?
    var requestExtension: (any RequestExtension)?
  }

  /// Claims a node's name and listens for hosts. The caller must call ``stop()``.
  ///
  /// - Parameters:
  ///   - name: The name of the node, which is also the name of its manifest, if it has one.
  ///   - icon: The path of an image that hosts can show.
  ///   - url: The address of further information.
  ///   - directories: The folders of manifests and running nodes.
  ///   - evictionLimit: The time in seconds after which a port whose host does not render is parked; `nil` for never.
  ///   - onEvent: Receives the server's events. Called on threads of the server, also concurrently.
  ///   - onTakeover: Called when a node of this name that was started for a host is ended, so that its hosts connect to
  ///     this one. If `nil`, such a node is like others.
  /// - Throws: ``ServerError``; `node(.nodeIsRunning)` when another process has the name.
  public convenience init(
    name: String, icon: String? = nil, url: String? = nil,
    directories: NodeDirectories = NodeDirectories(), evictionLimit: Double? = 2,
    onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in },
    onTakeover: ((_ processID: Int32) -> Void)? = nil
  ) throws(ServerError) {
    let presence: RunningNode
    do throws(NodeError) {
      presence =
        if let onTakeover {
          try .takeOver(name, in: directories, onTakeover: onTakeover)
        } else {
          try .claim(name, in: directories)
        }
    } catch {
      throw .node(error)
    }
    do throws(SystemError) {
      try self.init(
        socketPath: presence.socketPath, presence: presence, directories: directories,
        peer: Peer(name: name, processID: getpid(), icon: icon, url: url),
        evictionLimit: evictionLimit, onEvent: onEvent)
    } catch {
      throw .system("cannot listen at '\(presence.socketPath)': \(error)")
    }
  }

  /// Listens at a path, where no file may exist.
  ///
  /// - Parameter now: The clock for ``evictionLimit`` and ``helloLimit``, in nanoseconds.
  package init(
    socketPath: String, presence: RunningNode? = nil,
    directories: NodeDirectories = NodeDirectories(), peer: Peer, evictionLimit: Double? = 2,
    now: @escaping @Sendable () -> Int64 = { MonotonicClock.now },
    onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(SystemError) {
    let listener = try PacketListener(path: socketPath)
    self.peer = peer
    self.evictionLimit = evictionLimit
    self.presence = presence
    self.directories = directories
    self.now = now
    self.onEvent = onEvent
    self.listener = listener
    maximumHosts = Self.maximumHosts
    try deferredWork.start()
    try SystemThread(name: "portative-hosts") { self.listen(listener) }.detach()
  }

  /// Creates a server that only this process reaches, by ``connect()``, or the one that has started it, by
  /// ``serveToEnd(_:)``. Its ports are never parked.
  package init(onlyForThisProcessAs name: String) throws(SystemError) {
    peer = Peer(name: name, processID: getpid(), icon: nil, url: nil)
    evictionLimit = nil
    presence = nil
    directories = NodeDirectories()
    now = { MonotonicClock.now }
    onEvent = { _ in }
    listener = nil
    maximumHosts = Self.maximumHosts
    try deferredWork.start()
  }

  /// Returns the host's end of a new connection from this process.
  package func connect() throws(SystemError) -> PacketSocket {
    let (own, host) = try PacketSocket.pair()
    serve(own)
    return host
  }

  private static var maximumHosts: Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return maximumHosts(descriptors: Int(clamping: limit.rlim_cur))
  }

  /// Publishes a port.
  ///
  /// - Parameters:
  ///   - description: The port's description, which must match the node's manifest.
  ///   - source: Creates the port's units.
  ///   - maximumHosts: The number of hosts that can have the port at the same time, at least 1. Each has a unit of its
  ///     own. The server's limit of connections also applies.
  /// - Throws: ``ServerError``: `publish` when the description differs from the node's manifest, `node` when the
  ///   component is already published. Nothing has changed then.
  @discardableResult
  public func publish(
    _ description: PortDescription, _ source: any RenderUnitSource, maximumHosts: Int = 1
  ) throws(ServerError) -> PublishedPort {
    precondition(maximumHosts >= 1)
    try check([description])
    let port = PublishedPort(description, source, maximumHosts: maximumHosts)
    try state.withLock { state throws(ServerError) in
      if state.ports.contains(where: { $0.description.component == description.component }) {
        throw .node(.publishedTwice(description.component))
      }
      try announce(state.ports + [port])
      state.ports.append(port)
    }
    return port
  }

  /// Checks ports against the node's manifest, as ``publish(_:_:)`` does. The manifest is read on every call, because
  /// it may have changed.
  ///
  /// - Throws: ``ServerError``: `publish` for the first port that differs from the manifest, `manifest` when the
  ///   manifest is unusable.
  public func check(_ ports: [PortDescription]) throws(ServerError) {
    // A server without a claimed name has no manifest.
    guard presence != nil else { return }
    let manifest = try mapError(
      NodeManifest.find(peer.name, in: directories), ServerError.manifest)
    try mapError(manifest?.check(published: ports), ServerError.publish)
  }

  private func announce(_ ports: [PublishedPort]) throws(ServerError) {
    try mapError(presence?.publish(ports.map(\.description)), ServerError.node)
  }

  /// Removes a port. The hosts that have it lose the connection.
  public func withdraw(_ port: PublishedPort) {
    state.withLock { state in
      state.ports.removeAll { $0 === port }
      // If this fails, the list still names the port, but hosts that request it are refused.
      try? announce(state.ports)
    }
    for session in port.withdraw() { session.close() }
  }

  public var ports: [PublishedPort] { state.withLock { $0.ports } }

  /// The local output of ports without a host, as shown to users; `nil` while there is none.
  public var sound: String? {
    get { state.withLock { $0.sound } }
    set { state.withLock { $0.sound = newValue } }
  }

  /// Answers the requests that this library does not know; `nil` if the node has no others. Connections that have sent
  /// one of them keep their handler.
  package var requestExtension: (any RequestExtension)? {
    get { state.withLock { $0.requestExtension } }
    set { state.withLock { $0.requestExtension = newValue } }
  }

  /// The features of the protocol that the node has.
  var features: [String] { Feature.ofPorts + (requestExtension?.features ?? []) }

  /// The published ports and their state.
  public var report: NodeReport {
    var report = NodeReport(node: peer, sound: sound, ports: ports.map(\.report))
    report.song = requestExtension?.playedSong
    return report
  }

  /// Removes all ports and ends all connections. The server cannot be restarted.
  public func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      for port in state.ports { _ = port.withdraw() }
      state.ports = []
      return Array(state.open.values)
    }
    presence?.close()
    listener?.close()
    for session in open { session.close() }
    _ = sessions.wait(timeout: .now() + 3)
    deferredWork.stop()
  }

  func log(_ event: ServerEvent) { onEvent(event) }

  package func port(
    _ component: ComponentDescription
  ) throws(ProtocolError) -> PublishedPort {
    if let port = ports.first(where: { $0.description.component == component }) { return port }
    let known = ports.map { "\($0.description.component)" }.joined(separator: "; ")
    throw ProtocolError(
      .noSuchPort,
      "this node does not publish '\(component)': it has " + (known.isEmpty ? "nothing" : known))
  }

  /// Forwards a command to the first host of a port.
  func command(_ command: RemoteCommand, hostOf component: ComponentDescription)
    throws(ProtocolError)
  {
    let port = try port(component)
    let answer = port.command(command)
    if answer != .done {
      throw ProtocolError(.commandFailed, "\(port.description.name): \(answer)")
    }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  /// The result of admitting a session.
  enum Admission {
    /// The session was added. The caller must close the session that it replaces, if any.
    case admitted(insteadOf: HostSession?)
    case full
    case stopping
  }

  /// Adds a session until ``remove(_:)`` is called. If the limit is reached, a session without a port is evicted: of
  /// the process with the most such sessions, the one that has been silent for the longest time.
  private func admit(_ session: HostSession) -> Admission {
    state.withLock { state in
      if state.isStopping { return .stopping }
      var evicted: HostSession?
      if state.open.count - state.closing.count >= maximumHosts {
        evicted = state.evictionCandidate
        // Evicted sessions end with a delay. Their number is limited as well.
        guard let evicted, state.closing.count < maximumHosts else { return .full }
        state.closing.insert(ObjectIdentifier(evicted))
      }
      state.open[ObjectIdentifier(session)] = session
      if state.open.count > Self.manySessions { state.shouldTrim = true }
      sessions.enter()
      return .admitted(insteadOf: evicted)
    }
  }

  /// Memory is trimmed when at most `fewSessions` are left after more than `manySessions`, or after a port was used.
  private static let (manySessions, fewSessions) = (32, 4)

  private func remove(_ session: HostSession) {
    let trims = state.withLock { state in
      state.open.removeValue(forKey: ObjectIdentifier(session))
      state.closing.remove(ObjectIdentifier(session))
      state.shouldTrim = state.shouldTrim || session.hasPort
      guard state.shouldTrim, state.open.count <= Self.fewSessions else { return false }
      state.shouldTrim = false
      return true
    }
    // Every thread allocates from its own malloc arena, which keeps freed memory, such as units and packets.
    if trims { malloc_trim(0) }
    sessions.leave()
  }
}

extension NodeServer.State {
  fileprivate var evictionCandidate: HostSession? {
    let idle = open.filter { !closing.contains($0.key) && !$0.value.hasPort }.values
    var counts: [Int32: Int] = [:]
    for session in idle { counts[session.process, default: 0] += 1 }
    let most = counts.values.max()
    return idle.filter { counts[$0.process] == most }
      .min { $0.lastReceiveTime < $1.lastReceiveTime }
  }
}

// One thread accepts connections and holds them until they send a packet. Then each connection gets its own thread.
// Connections that send nothing do not block other hosts.
extension NodeServer {
  /// The maximum number of connected hosts: 1024, or a quarter of the process's descriptor limit if that is less, but at
  /// least 8. A host uses two descriptors.
  static func maximumHosts(descriptors: Int) -> Int { min(1024, max(8, descriptors / 4)) }

  /// The time in seconds within which a host must send hello.
  static let helloLimit = 2.0

  /// Accepts hosts until the server stops.
  private func listen(_ listener: PacketListener) {
    var pending = PendingConnections(limit: maximumHosts, seconds: Self.helloLimit)
    while true {
      let ready = listener.wait(
        or: pending.sockets, milliseconds: pending.wait(now: now()))
      for socket in ready {
        pending.remove(socket)
        serve(socket)
      }
      for socket in pending.removeOverdue(now: now()) {
        close(socket, Self.helloTimeout)
      }
      guard acceptAll(of: listener, into: &pending) else { return }
    }
  }

  /// Accepts waiting hosts.
  ///
  /// - Returns: `false` when the server stops.
  private func acceptAll(
    of listener: PacketListener, into pending: inout PendingConnections
  ) -> Bool {
    // A limited number at a time, so that connections with a packet do not wait long.
    for _ in 0..<64 {
      switch listener.acceptNow() {
      case .success(let socket):
        guard isOwn(socket) else { continue }
        let process = socket.peer?.process ?? 0
        if let evicted = pending.add(socket, process: process, now: now()) {
          close(evicted, Self.hostLimitReached(maximumHosts))
        }
      case .failure(let error):
        if isStopping { return false }
        if error.code == EAGAIN { return true }
        // The host has already disconnected, or a signal arrived.
        if error.code == ECONNABORTED || error.code == EINTR { continue }
        // The system is out of descriptors or memory. Closing a pending connection frees a descriptor.
        if let evicted = pending.evict() {
          close(evicted, ProtocolError(.outOfResources, "\(error)"))
        } else {
          log(.notAccepted(reason: error.description))
          // Descriptors may be free when this is retried.
          usleep(100_000)
          return true
        }
      }
    }
    return true
  }

  /// Returns whether the host runs as the server's user. Refuses other hosts, even if the folder's mode admits them.
  private func isOwn(_ socket: PacketSocket) -> Bool {
    if let peer = socket.peer, peer.user == geteuid() { return true }
    log(.refusedStranger(user: socket.peer?.user))
    close(
      socket,
      ProtocolError(
        .wrongUser, "this node belongs to user \(geteuid()): run the host as the same user"))
    return false
  }

  private func close(_ socket: PacketSocket, _ refusal: ProtocolError) {
    HostSession(socket, self).close(refusal)
  }

  static let helloTimeout = ProtocolError(
    .badMessage,
    "a host must send hello within \(Int(helloLimit)) s, but this one did not: connect again")

  private static func hostLimitReached(_ limit: Int) -> ProtocolError {
    ProtocolError(
      .tooManyConnections,
      "this node has \(limit) connections, which is its limit: close connections that have no "
        + "port, or connect again")
  }

  /// Serves a host over a socket that this process has inherited, until the host disconnects.
  package func serveToEnd(_ socket: PacketSocket) {
    let session = HostSession(socket, self)
    guard case .admitted = admit(session) else { return session.close() }
    session.run()
    remove(session)
  }

  /// Starts a thread that answers a host which has sent a packet.
  private func serve(_ socket: PacketSocket) {
    let session = HostSession(socket, self)
    switch admit(session) {
    case .stopping: return session.close()
    case .full: return session.close(Self.hostLimitReached(maximumHosts))
    case .admitted(let evicted):
      evicted?.close(Self.hostLimitReached(maximumHosts))
    }
    do throws(SystemError) {
      try SystemThread(name: "portative-host") { [self] in
        session.run()
        remove(session)
      }.detach()
    } catch {
      log(.notAccepted(reason: error.description))
      session.close(ProtocolError(.outOfResources, "\(error)"))
      remove(session)
    }
  }
}
