import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol
import RenderCore
import Threads

/// Connects to a port as a program does that a person waits for: it says what takes long, and can be
/// interrupted.
struct NodeConnector {
  var host = AudioHost(name: "portative play")
  /// How long a node may make no progress offline.
  var stallLimit: Duration = .seconds(10)
  let say: @Sendable (String) -> Void

  /// Takes the port, and starts its node if need be.
  func connect(to component: Component) throws(Failure) -> Connection {
    let host = host
    return try waiting(for: component) { () throws(ConnectionError) in
      try host.connect(to: component)
    }
  }

  /// Looks at the port, and starts its node if need be.
  func details(of component: Component) throws(Failure) -> PortDetails {
    let host = host
    return try waiting(for: component) { () throws(ConnectionError) in
      try host.details(of: component)
    }
  }

  /// Says what takes long.
  private func waiting<Result: Sendable>(
    for component: Component, _ work: @escaping @Sendable () throws(ConnectionError) -> Result
  ) throws(Failure) -> Result {
    if !component.isRunning { say("starting the node '\(component.node)'") }
    var hasWaited = false
    while true {
      let attempt = try interruptibly {
        Swift.Result { () throws(ConnectionError) in try work() }
      }
      do throws(ConnectionError) {
        return try attempt.get()
      } catch {
        // It runs, and nobody but the user knows how long it may load.
        guard case .launch(.notPublished(_, let node, let process, _, let published)) = error,
          published.isEmpty
        else { throw Failure(.failed, error.description) }
        if !hasWaited { say("waiting for the node '\(node)' (process \(process)) to load") }
        hasWaited = true
      }
    }
  }

  /// Takes the ports of chains, each from its instrument to its last effect.
  func connect(_ chains: [PlayOptions.Chain]) throws(Failure) -> [[Connection]] {
    var connected: [[Connection]] = []
    for chain in chains {
      var links = [try connect(to: NodeFinder().find(chain.instrument))]
      for effect in chain.effects {
        links.append(try connect(to: NodeFinder(for: .effect).find(effect)))
      }
      connected.append(links)
    }
    return connected
  }

  /// Initializes the nodes of chains for two channels, effects with two of input.
  ///
  /// - Parameter priority: Of the thread that will render, under SCHED_FIFO, or 0.
  func initialize(
    _ chains: [[Connection]], _ format: Format, mode: RenderMode, priority: Int
  ) throws(Failure) {
    for chain in chains {
      for connection in chain {
        try initialize(connection, format.played(by: connection), mode: mode, priority: priority)
      }
    }
  }

  private func initialize(
    _ connection: Connection, _ format: Format, mode: RenderMode, priority: Int
  ) throws(Failure) {
    connection.stallLimit = stallLimit
    let attempt = try interruptibly {
      Result { () throws(ConnectionError) in
        try connection.initialize(format, mode: mode, priority: priority)
      }
    }
    do throws(ConnectionError) {
      try attempt.get()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  /// Connects anew to the port of a connection that is lost, and starts its node if there is a manifest for it.
  func reconnect(_ connection: Connection) throws(ConnectionError) -> Connection {
    let component = ComponentRegistry().components(matching: ComponentQuery()).first {
      $0.node == connection.node.name && $0.port.component == connection.port.component
    }
    guard let component else { throw .notRunning(node: connection.node.name) }
    return try host.connect(to: component)
  }

  /// What the port's instrument says of its notes; `nil` when the node does not say.
  func noteFigures(of connection: Connection) -> NoteFigures? {
    let report = try? host.report(ofNode: connection.node.name)
    let port = report?.ports.first { $0.port.component == connection.port.component }
    return port?.rendering.flatMap { NoteFigures($0.unit) }
  }
}

extension Format {
  /// The same, with the input that a node takes in a chain.
  func played(by connection: Connection) -> Format {
    var own = self
    own.inputChannels = connection.port.component.type.takesAudio ? channels : 0
    return own
  }
}
