import Glibc
public import LocalSystem
public import NodeDirectory
public import NodeProtocol
import Synchronization
public import Threads

/// A program that plays nodes: what connections are made from.
///
/// Realtime: no. Threads: any.
public final class AudioHost: Sendable {
  /// This process, as nodes see it.
  public let peer: Peer
  private let siblings = PeerNodes()
  private let environment: ProcessEnvironment

  /// - Parameters:
  ///   - name: What people call the program.
  ///   - icon: Path of an image.
  ///   - url: Where more about it is to be found.
  public init(
    name: String, icon: String? = nil, url: String? = nil,
    environment: ProcessEnvironment = .current
  ) {
    peer = Peer(name: name, processID: getpid(), icon: icon, url: url)
    self.environment = environment
  }

  /// Takes a port, and starts its node first if it does not run.
  ///
  /// - Parameters:
  ///   - component: One of a ``ComponentRegistry``.
  ///   - limit: The longest to wait for a node to start and publish.
  /// - Throws: ``ConnectionError``: `refused` with `portInUse` when another host has it, and who;
  ///   `launch` when the node cannot be started.
  public func connect(
    to component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> Connection {
    try launch(component, within: limit)
    let connection = try connect(
      to: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
    // Forgetting when it was used is no reason not to use it.
    try? LastUse(NodeDirectories(environment)).record(component.port.component, of: component.node)
    return connection
  }

  /// Starts a component's node if it does not run.
  func launch(_ component: Component, within limit: Duration) throws(ConnectionError) {
    if component.isRunning { return }
    do throws(LaunchError) {
      _ = try NodeLauncher(environment).launch(
        component.node, publishing: component.port.component, within: limit)
    } catch {
      throw .launch(error)
    }
  }

  /// Asks a node what it publishes and how its ports are doing.
  public func report(ofNode node: String) throws(ConnectionError) -> NodeReport {
    try report(ofNode: node, socketPath: socketPath(ofNode: node))
  }

  /// Gives the calling thread realtime priority: as the system's limits permit it, or else by RealtimeKit.
  ///
  /// For the thread that calls ``Connection/render(frames:hostTime:input:into:)``, before it calls
  /// ``Connection/initialize(_:mode:priority:)``, which lets the node have nearly as much. Threads that it starts
  /// are ordinary ones. May wait for seconds.
  ///
  /// - Parameter priority: Of SCHED_FIFO, 1…99.
  /// - Returns: The priority it has now, which may be less.
  /// - Throws: ``RealtimeRefusal``, which says what its user can do about it. A host that goes on without is
  ///   late now and then on a busy machine.
  @discardableResult
  public static func takeRealtimePriority(_ priority: Int = 70) throws(RealtimeRefusal) -> Int {
    try RealtimePriority.take(priority)
  }

  /// Keeps the calling thread on the processor where it is now, so that a node can render there while it
  /// waits: measured, a round trip of 5 µs instead of 25.
  ///
  /// For the thread that calls ``Connection/render(frames:hostTime:input:into:)``, once, before it does. Without
  /// realtime priority it makes no difference; with it, the kernel would else put the two on two processors,
  /// of which one always sleeps.
  public static func keepThreadOnProcessor() { SystemThread.stayHere() }

  func socketPath(ofNode node: String) throws(ConnectionError) -> String {
    do throws(NodeError) {
      return try NodeDirectories(environment).socketPath(of: node)
    } catch {
      throw .system(error.description)
    }
  }

  /// Calls a node and says hello.
  func greeted(_ node: String, _ path: String) throws(ConnectionError) -> Link {
    let link = try call(node, path)
    do throws(ConnectionError) {
      _ = try hello(link)
      return link
    } catch {
      link.close()
      throw error
    }
  }

  /// Takes a port of the node that listens at a path.
  package func connect(
    to component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> Connection {
    let link = try call(node, socketPath)
    do throws(ConnectionError) {
      let connection = try greet(link, component)
      link.onEnd.withLock { $0 = { [siblings] in siblings.leave($0) } }
      siblings.join(link, name: connection.port.name)
      return connection
    } catch {
      link.close()
      throw error
    }
  }

  /// Asks the node that listens at a path what it publishes and how its ports are doing.
  package func report(
    ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> NodeReport {
    let link = try greeted(node, socketPath)
    defer { link.close() }
    var last: NodeReport?
    let ports = try link.askAll { first throws(ConnectionError) in
      let answer = try link.ask(.report(from: first), seconds: Link.answerLimit)
      guard case .report(let part, let count) = answer else { throw link.violated() }
      last = part
      return (part.ports, count)
    }
    guard var report = last else { throw link.violated() }
    report.ports = ports
    return report
  }

  private func call(_ node: String, _ path: String) throws(ConnectionError) -> Link {
    do throws(SystemError) {
      return try Link(PacketSocket(connectingTo: path))
    } catch {
      if error.code == ENOENT || error.code == ECONNREFUSED { throw .notRunning(node: node) }
      throw .system("cannot connect to the node '\(node)': \(error)")
    }
  }

  private func hello(_ link: Link) throws(ConnectionError) -> Peer {
    let hello = HostMessage.hello(protocol: protocolVersion, host: peer)
    guard case .welcome(_, var node) = try link.ask(hello, seconds: Link.answerLimit) else {
      throw link.violated()
    }
    // The kernel knows better than the node who it is.
    node.processID = link.peerProcess ?? node.processID
    return node
  }

  private func greet(
    _ link: Link, _ component: ComponentDescription
  ) throws(ConnectionError) -> Connection {
    let node = try hello(link)
    let answer = try link.ask(.open(component: component), seconds: Link.answerLimit)
    guard case .opened(let port) = answer else { throw link.violated() }
    return Connection(link, node: node, port: port)
  }
}
