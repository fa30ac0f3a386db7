import CLinux
import Dispatch
import Glibc
public import NodeDirectory
public import NodeProtocol
public import RenderCore
import Synchronization
package import Threads

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
  let deferredWork = DeferredWorkThread()
  /// The node's name, held as long as the server runs; `nil` for one that nobody can find.
  private let presence: RunningNode?
  private let directories: NodeDirectories
  let listener: PacketListener
  /// Hosts that may be connected at once.
  let maximumHosts: Int
  private let state = Mutex(State())
  private let tellEvent: @Sendable (ServerEvent) -> Void
  private let sessions = DispatchGroup()

  fileprivate struct State {
    var ports: [PublishedPort] = []
    var open: [ObjectIdentifier: HostSession] = [:]
    /// Those of ``open`` that have been shown the door.
    var leaving: Set<ObjectIdentifier> = []
    /// Whether so much was allocated that freed memory is worth giving back.
    var isBloated = false
    var isStopping = false
    var sound: String?
  }

  /// Takes a node's name, and listens for hosts. ``stop()`` must follow.
  ///
  /// - Parameters:
  ///   - name: The node's: that of its manifest, where it has one.
  ///   - icon: Path of an image, for hosts to show.
  ///   - url: Where more about it is to be found.
  ///   - evictionLimit: Seconds.
  ///   - tell: Gets what happens, on threads of the server's.
  /// - Throws: ``ServerError``; `node(.nodeIsRunning)` when another process has the name.
  public convenience init(
    name: String, icon: String? = nil, url: String? = nil,
    directories: NodeDirectories = NodeDirectories(), evictionLimit: Double? = 2,
    tell: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(ServerError) {
    let presence: RunningNode
    do throws(NodeError) {
      presence = try RunningNode.claim(name, in: directories)
    } catch {
      throw .node(error)
    }
    do throws(SystemError) {
      try self.init(
        socketPath: presence.socketPath, presence: presence, directories: directories,
        peer: Peer(name: name, processID: getpid(), icon: icon, url: url),
        evictionLimit: evictionLimit, tell: tell)
    } catch {
      throw .system("cannot listen at '\(presence.socketPath)': \(error)")
    }
  }

  /// Listens at a path, where nothing may be.
  package init(
    socketPath: String, presence: RunningNode? = nil,
    directories: NodeDirectories = NodeDirectories(), peer: Peer, evictionLimit: Double? = 2,
    tell: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(SystemError) {
    self.peer = peer
    self.evictionLimit = evictionLimit
    self.presence = presence
    self.directories = directories
    tellEvent = tell
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    maximumHosts = Self.maximumHosts(descriptors: Int(clamping: limit.rlim_cur))
    listener = try PacketListener(path: socketPath)
    try deferredWork.start()
    try SystemThread(name: "portative-doors") { self.listen() }.detach()
  }

  /// Offers a port.
  ///
  /// - Throws: ``ServerError``: `publish` when it is not as the node's manifest says, `node` when the
  ///   component is published already. Nothing has changed then.
  @discardableResult
  public func publish(
    _ description: PortDescription, _ source: any RenderUnitSource
  ) throws(ServerError) -> PublishedPort {
    try check([description])
    let port = PublishedPort(description, source)
    try state.withLock { state throws(ServerError) in
      if state.ports.contains(where: { $0.description.component == description.component }) {
        throw .node(.publishedTwice(description.component))
      }
      try announce(state.ports + [port])
      state.ports.append(port)
    }
    return port
  }

  /// Checks ports against the node's manifest, as ``publish(_:_:)`` does. It is read anew each time, for it
  /// may have been written meanwhile.
  ///
  /// - Throws: ``ServerError``: `publish` for the first port that is not as it says, `manifest` when it is of
  ///   no use.
  public func check(_ ports: [PortDescription]) throws(ServerError) {
    // Whoever cannot be found has promised nothing.
    guard presence != nil else { return }
    let manifest: NodeManifest?
    do throws(ManifestError) {
      manifest = try NodeManifest.find(peer.name, in: directories)
    } catch {
      throw .manifest(error)
    }
    do throws(PublishError) {
      try manifest?.check(published: ports)
    } catch {
      throw .publish(error)
    }
  }

  private func announce(_ ports: [PublishedPort]) throws(ServerError) {
    do throws(NodeError) {
      try presence?.publish(ports.map(\.description))
    } catch {
      throw .node(error)
    }
  }

  /// Takes a port back. Its host, if it has one, finds the connection lost.
  public func withdraw(_ port: PublishedPort) {
    state.withLock { state in
      state.ports.removeAll { $0 === port }
      // The list may stay too long: whoever asks for the port is refused all the same.
      try? announce(state.ports)
    }
    port.withdraw()?.close(saying: .withdrawn)
  }

  public var ports: [PublishedPort] { state.withLock { $0.ports } }

  /// Where ports sound that no host has, for people; `nil` while nothing does.
  public var sound: String? {
    get { state.withLock { $0.sound } }
    set { state.withLock { $0.sound = newValue } }
  }

  /// What is published, and how it is doing.
  public var report: NodeReport {
    NodeReport(node: peer, sound: sound, ports: ports.map(\.report))
  }

  /// Withdraws everything and ends every connection. The server is of no use afterwards.
  public func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      for port in state.ports { _ = port.withdraw() }
      state.ports = []
      return Array(state.open.values)
    }
    presence?.close()
    listener.close()
    for session in open { session.close(saying: .withdrawn) }
    _ = sessions.wait(timeout: .now() + 3)
    deferredWork.stop()
  }

  func tell(_ event: ServerEvent) { tellEvent(event) }

  func port(_ component: ComponentDescription) throws(ProtocolError) -> PublishedPort {
    if let port = ports.first(where: { $0.description.component == component }) { return port }
    let known = ports.map { "\($0.description.component)" }.joined(separator: "; ")
    throw ProtocolError(
      .noSuchPort,
      "this node does not publish '\(component)': it has " + (known.isEmpty ? "nothing" : known))
  }

  /// Passes on what someone at the node's side asks of a port's host.
  func command(_ command: RemoteCommand, hostOf component: ComponentDescription)
    throws(ProtocolError)
  {
    let port = try port(component)
    let answer = port.command(command)
    if answer != .done {
      throw ProtocolError(.notCommanded, "\(port.description.name): \(answer)")
    }
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// What became of a host that wants to be served.
  enum Admission {
    /// Perhaps in the place of another, which has to go.
    case admitted(insteadOf: HostSession?)
    case full
    case stopping
  }

  /// Keeps a session in mind until ``leave(_:)``. Where there are too many, one goes that has no port: of the process
  /// that has the most of them the one that has said nothing for the longest time.
  func admit(_ session: HostSession) -> Admission {
    state.withLock { state in
      if state.isStopping { return .stopping }
      var evicted: HostSession?
      if state.open.count - state.leaving.count >= maximumHosts {
        evicted = state.dispensable
        // Those that leave need a moment. More of them than there may be hosts is more than anyone needs.
        guard let evicted, state.leaving.count < maximumHosts else { return .full }
        state.leaving.insert(ObjectIdentifier(evicted))
      }
      state.open[ObjectIdentifier(session)] = session
      if state.open.count > Self.crowd { state.isBloated = true }
      sessions.enter()
      return .admitted(insteadOf: evicted)
    }
  }

  /// Hosts that are a crowd, and few enough that it is over.
  private static let (crowd, few) = (32, 4)

  func leave(_ session: HostSession) {
    let isOver = state.withLock { state in
      state.open.removeValue(forKey: ObjectIdentifier(session))
      state.leaving.remove(ObjectIdentifier(session))
      state.isBloated = state.isBloated || session.hasPort
      guard state.isBloated, state.open.count <= Self.few else { return false }
      state.isBloated = false
      return true
    }
    // Each thread allocates from an arena of its own, which keeps what is freed: units, and packets of a crowd.
    if isOver { malloc_trim(0) }
    sessions.leave()
  }
}

extension NodeServer.State {
  fileprivate var dispensable: HostSession? {
    let idle = open.filter { !leaving.contains($0.key) && !$0.value.hasPort }.values
    var counts: [Int32: Int] = [:]
    for session in idle { counts[session.process, default: 0] += 1 }
    let most = counts.values.max()
    return idle.filter { counts[$0.process] == most }.min { $0.lastHeard < $1.lastHeard }
  }
}
