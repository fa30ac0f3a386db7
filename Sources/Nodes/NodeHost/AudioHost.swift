import Glibc
public import LocalSystem
public import NodeDirectory
public import NodeProtocol
import Synchronization
public import Threads

/// A program that plays nodes. Creates connections.
///
/// Realtime: no. Threads: any.
public final class AudioHost: Sendable {
  /// The properties of this process that nodes receive.
  public let peer: Peer
  private let peerNodes = PeerNodes()
  private let environment: ProcessEnvironment

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - name: The name of the program, as shown to users.
  ///   - icon: The path of an image.
  ///   - url: The address of further information.
  ///   - environment: Determines the folders of manifests and running nodes.
  public init(
    name: String, icon: String? = nil, url: String? = nil,
    environment: ProcessEnvironment = .current
  ) {
    peer = Peer(name: name, processID: getpid(), icon: icon, url: url)
    self.environment = environment
  }

  /// Acquires a port. Starts its node if it does not run.
  ///
  /// - Parameters:
  ///   - component: A component of a ``ComponentRegistry``.
  ///   - limit: The longest wait for a node to start and publish the component.
  /// - Throws: ``ConnectionError``: `refused` with `portInUse` and the name of the other host when the port is in use;
  ///   `launch` when the node cannot be started.
  public func connect(
    to component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> Connection {
    try launch(component, within: limit)
    let connection = try connect(
      to: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
    // The connection is usable even if the time of use cannot be recorded.
    try? LastUse(NodeDirectories(environment)).record(component.port.component, of: component.node)
    return connection
  }

  /// Starts a component's node if it does not run.
  func launch(_ component: Component, within limit: Duration) throws(ConnectionError) {
    if component.isRunning { return }
    _ = try mapError(
      NodeLauncher(environment).launch(
        component.node, publishing: component.port.component, within: limit),
      ConnectionError.launch)
  }

  /// Returns the ports of a node and their state.
  public func report(ofNode node: String) throws(ConnectionError) -> NodeReport {
    try report(ofNode: node, socketPath: socketPath(ofNode: node))
  }

  /// Gives the calling thread realtime priority: within the system's limits, or otherwise by RealtimeKit.
  ///
  /// Call this on the thread that calls ``Connection/render(frames:hostTime:input:into:)``, before
  /// ``Connection/initialize(_:mode:priority:)``, which requests one priority less for the node's render thread.
  /// Threads that the calling thread starts have default priority. May block for seconds.
  ///
  /// - Parameter priority: The SCHED_FIFO priority, 1…99.
  /// - Returns: The resulting priority, which may be lower.
  /// - Throws: ``RealtimePriorityError``, which describes the remedy. A host without realtime priority may
  ///   miss cycles on a busy machine.
  @discardableResult
  public static func requestRealtimePriority(
    _ priority: Int = 70
  ) throws(RealtimePriorityError) -> Int {
    try RealtimePriority.request(priority)
  }

  /// Pins the calling thread to its current processor, so that a node can render there while the thread waits. The
  /// measured round trip is 5 µs instead of 25 µs.
  ///
  /// Call this once on the thread that calls ``Connection/render(frames:hostTime:input:into:)``, before the first
  /// cycle. It has no effect without realtime priority; with it, the kernel would otherwise run the two threads on two
  /// processors, one of which always sleeps.
  public static func keepThreadOnProcessor() { SystemThread.pinToCurrentProcessor() }

  func socketPath(ofNode node: String) throws(ConnectionError) -> String {
    do throws(NodeError) {
      return try NodeDirectories(environment).socketPath(of: node)
    } catch {
      throw .system(error.description)
    }
  }

  /// Connects to the socket of a node and exchanges hello messages.
  func openLink(_ node: String, _ path: String) throws(ConnectionError) -> ControlLink {
    let link = try connectSocket(node, path)
    do throws(ConnectionError) {
      _ = try hello(link, node)
      return link
    } catch {
      link.close()
      throw error
    }
  }

  /// Sends a single request to a node, and waits for its result.
  ///
  /// - Parameters:
  ///   - path: The path of the node's socket.
  ///   - seconds: The longest wait, in seconds.
  func ask<R: Request>(
    _ node: String, _ path: String, _ request: R, seconds: Double = ControlLink.answerLimit
  ) throws(ConnectionError) -> R.Response {
    let link = try openLink(node, path)
    defer { link.close() }
    return try link.send(request, seconds: seconds)
  }

  /// Acquires a port of the node that listens at a path.
  package func connect(
    to component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> Connection {
    let link = try connectSocket(node, socketPath)
    do throws(ConnectionError) {
      let connection = try openPort(link, component, node)
      link.onEnd.withLock { $0 = { [peerNodes] in peerNodes.remove($0) } }
      peerNodes.add(link, name: connection.port.name)
      return connection
    } catch {
      link.close()
      throw error
    }
  }

  /// Returns the ports and their state of the node that listens at a path.
  package func report(
    ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> NodeReport {
    let link = try openLink(node, socketPath)
    defer { link.close() }
    var last: GetReport.Response?
    let ports = try link.requestAll { offset throws(ConnectionError) in
      let part = try link.send(GetReport(offset: offset))
      last = part
      return (part.items, part.total)
    }
    guard let last else { throw link.protocolViolation() }
    var peer = last.peer
    peer.name = node
    return NodeReport(node: peer, sound: last.sound, ports: ports)
  }

  private func connectSocket(
    _ node: String, _ path: String
  ) throws(ConnectionError) -> ControlLink {
    do throws(SystemError) {
      return try ControlLink(PacketSocket(connectingTo: path))
    } catch {
      if error.code == ENOENT || error.code == ECONNREFUSED { throw .notRunning(node: node) }
      throw .system("cannot connect to the node '\(node)': \(error)")
    }
  }

  private func hello(_ link: ControlLink, _ name: String) throws(ConnectionError) -> Peer {
    let hello = try link.send(Hello(peer: peer))
    link.features.withLock { $0 = hello.features }
    var node = hello.peer
    // The node is found again by this name, whatever it calls itself.
    node.name = name
    // The process ID from the kernel is reliable; the one from the node is not.
    node.processID = link.peerProcess ?? node.processID
    return node
  }

  private func openPort(
    _ link: ControlLink, _ component: ComponentDescription, _ name: String
  ) throws(ConnectionError) -> Connection {
    let node = try hello(link, name)
    let port = try link.send(OpenPort(component: component)).port
    return Connection(link, node: node, port: port)
  }
}
