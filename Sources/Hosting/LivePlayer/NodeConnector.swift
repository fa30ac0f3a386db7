package import LocalSystem
package import NodeDirectory
package import NodeHost
import NodeProtocol
package import RenderCore
import Threads

/// Connects to ports on behalf of a waiting user: it reports what takes long, and a signal interrupts it.
package struct NodeConnector: Sendable {
  private let host: AudioHost
  /// The time without progress after which an offline node is given up.
  private let stallLimit: Duration
  package let say: @Sendable (String) -> Void

  package init(
    host: AudioHost = AudioHost(name: "portative play"), stallLimit: Duration = .seconds(10),
    say: @escaping @Sendable (String) -> Void
  ) {
    self.host = host
    self.stallLimit = stallLimit
    self.say = say
  }

  /// Connects to the port, and starts its node if necessary.
  package func connect(to component: Component) throws(Failure) -> Connection {
    let host = host
    return try waiting(for: component) { () throws(ConnectionError) in
      try host.connect(to: component)
    }
  }

  /// Reads the details of the port, and starts its node if necessary.
  package func details(of component: Component) throws(Failure) -> PortDetails {
    let host = host
    return try waiting(for: component) { () throws(ConnectionError) in
      try host.details(of: component)
    }
  }

  /// Performs work that may wait for a node to start or load, and reports the wait.
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
        // The node is running but has published no port. Only the user knows how long loading may take.
        guard case .launch(.notPublished(_, let node, let process, _, let published)) = error,
          published.isEmpty
        else { throw Failure(.failed, error.description) }
        if !hasWaited { say("waiting for the node '\(node)' (process \(process)) to load") }
        hasWaited = true
      }
    }
  }

  /// Initializes the nodes of chains for two output channels, and effects for two input channels as well.
  ///
  /// - Parameter priority: The SCHED_FIFO priority of the thread that will render, or 0.
  package func initialize(
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

  /// Connects again to the port of a lost connection. A node that has a manifest is started.
  func reconnect(_ connection: Connection) throws(ConnectionError) -> Connection {
    let component = ComponentRegistry().components(matching: ComponentQuery()).first {
      $0.node == connection.node.name && $0.port.component == connection.port.component
    }
    guard let component else { throw .notRunning(node: connection.node.name) }
    return try host.connect(to: component)
  }

  /// Returns what the port's instrument reports about its notes; `nil` if the node does not answer or reports no notes.
  package func noteFigures(of connection: Connection) -> NoteFigures? {
    let report = try? host.report(ofNode: connection.node.name)
    let port = report?.ports.first { $0.port.component == connection.port.component }
    return port?.rendering.flatMap { NoteFigures($0.unit) }
  }
}

extension Format {
  /// Returns the same format with the input channels that a node has in a chain.
  func played(by connection: Connection) -> Format {
    var own = self
    own.inputChannels = connection.port.component.type.takesAudio ? channels : 0
    return own
  }
}
