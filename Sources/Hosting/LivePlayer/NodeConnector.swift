import Configuration
import LocalSystem
import PluginNodes
package import NodeHost
package import NodeProtocol
import RenderCore

/// Connects to ports on behalf of a waiting user: it reports long waits, and a signal interrupts it.
package struct NodeConnector: Sendable {
  private let host: AudioHost
  /// The time without progress after which an offline node is given up.
  private let stallLimit: Duration
  package let report: @Sendable (PlayerEvent) -> Void
  /// The instrument of this process that plays the song; `nil` if nodes do.
  package var instrument: SongInstrument?

  package init(
    host: AudioHost = AudioHost(name: "portative play"), stallLimit: Duration = .seconds(10),
    report: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    self.host = host
    self.stallLimit = stallLimit
    self.report = report
  }

  /// Connects to the port, and starts its node if necessary.
  package func connect(to component: Component) throws -> Connection {
    try wait(for: component) { [host] in try host.connect(to: component) }
  }

  /// Acquires an instrument of this process.
  ///
  /// - Precondition: ``instrument`` is not `nil`.
  package func connectToOwnInstrument() throws -> Connection {
    guard let instrument else { preconditionFailure("there is no instrument") }
    return try instrument.connect(host)
  }

  /// Connects to the port with a name as for ``NodeFinder``, or to an LV2 plugin, for which it starts a process.
  package func connect(toPort name: String, _ kind: NodeFinder.Kind) throws -> Connection {
    guard let selection = try PluginSelection(prefixed: name) else {
      return try connect(to: NodeFinder(for: kind).find(name))
    }
    try selection.check(kind)
    return try interruptibly { [host] in
      Result { try PluginProcess.connect(selection, from: host) }
    }.get()
  }

  /// Returns the control of the port, and starts its node if necessary.
  package func control(of component: Component) throws -> PortControl {
    try wait(for: component) { [host] in try host.control(of: component) }
  }

  /// Performs work that may wait for a node to start or load, and reports the wait.
  private func wait<Value: Sendable>(
    for component: Component, _ work: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    if !component.isRunning { report(.nodeStarting(name: component.node)) }
    var isReported = false
    while true {
      do {
        return try interruptibly { Result { try work() } }.get()
      } catch ConnectionError.connectionLost(let reason) {
        throw reason.failure(of: component.port.name, component.node, component.processID)
      } catch ConnectionError.launch(.notPublished(_, let node, let process, _, let published))
        where published.isEmpty
      {
        // The node is running but has published no port. Only the user knows how long loading may take.
        if !isReported { report(.nodeLoading(name: node, process: process)) }
        isReported = true
      }
    }
  }

  /// Initializes the nodes of chains for two output channels, or the pairs that they have, and effects for two input
  /// channels as well.
  ///
  /// - Parameter priority: The SCHED_FIFO priority of the thread that will render, or 0.
  func initialize(
    _ chains: [[Connection]], _ format: Format, mode: RenderMode, priority: Int
  ) throws {
    for connection in chains.joined() {
      connection.stallLimit = stallLimit
      do {
        try interruptibly {
          Result {
            try connection.initialize(toMix: format, mode: mode, priority: priority)
          }
        }.get()
      } catch ConnectionError.connectionLost(let reason) {
        let node = connection.node
        throw reason.failure(of: connection.port.name, node.name, node.processID)
      }
    }
  }

  /// Initializes the nodes of a chain again for a thread of a device. Connects again to those that were lost, and starts
  /// those that have a manifest.
  func reinitialize(
    _ chain: inout [Connection], _ format: Format, priority: Int
  ) throws -> [Connection] {
    for index in chain.indices {
      if case .lost = chain[index].status { chain[index] = try reconnect(chain[index]) }
      chain[index].uninitialize()
      try chain[index].initialize(toMix: format, mode: .realtime, priority: priority)
    }
    return chain
  }

  private func reconnect(_ connection: Connection) throws -> Connection {
    let component = ComponentRegistry().components(matching: ComponentQuery()).first {
      $0.node == connection.node.name && $0.port.component == connection.port.component
    }
    guard let component else { throw ConnectionError.notRunning(node: connection.node.name) }
    return try host.connect(to: component)
  }

  /// Returns what the port's instrument reports about its notes; `nil` if the node does not answer or reports no notes.
  package func noteFigures(of connection: Connection) -> NoteFigures? {
    if let instrument, instrument.plays(connection) { return instrument.noteFigures }
    let report = try? host.report(ofNode: connection.node.name)
    let port = report?.ports.first { $0.port.component == connection.port.component }
    return port?.rendering.flatMap { NoteFigures($0.unit) }
  }
}

extension Connection {
  /// Initializes the node of a chain for two output channels or, if it refuses these, for the number of pairs that it
  /// names. ``NodeMixer`` adds the pairs up.
  fileprivate func initialize(
    toMix format: Format, mode: RenderMode, priority: Int
  ) throws(ConnectionError) {
    var own = format
    own.inputChannels = port.component.type.takesAudio ? format.outputChannels : 0
    do throws(ConnectionError) {
      try PluginProcess.initialize(self, own, mode: mode, priority: priority)
    } catch {
      guard let outputs = error.pairedOutputs, outputs != own.outputChannels else { throw error }
      own.outputChannels = outputs
      try initialize(own, mode: mode, priority: priority)
    }
  }
}

extension LossReason {
  /// The failure of a port whose connection was lost before the song.
  fileprivate func failure(of port: String, _ node: String, _ process: Int32?) -> Failure {
    let owner = "the node '\(node)'" + (process.map { " (process \($0))" } ?? "")
    let kill = process.map { " with 'kill -9 \($0)'" } ?? ""
    let problem =
      switch self {
      case .nodeEnded: "\(owner) has ended: start it again, then play the song again"
      case .noAnswer:
        "\(owner) does not answer: end it\(kill) and start it again, then play the song again"
      case .portRemoved: "\(owner) no longer publishes it: publish it, then play the song again"
      case .protocolViolation: "\(owner) sent an invalid message: use another version of it"
      case .closed: "its connection to \(owner) was closed: play the song again"
      }
    return Failure(.failed, "\(port) cannot be played: \(problem)")
  }
}

extension ConnectionError {
  /// The least number of output channels that a node has named when it refused a format, if they are pairs.
  fileprivate var pairedOutputs: Int? {
    guard case .refused(let reason) = self, let details = reason.data,
      details.field == "params.outputChannels", let least = details.allowed?.minimum,
      Format.outputChannelCounts.contains(least), least % 2 == 0
    else { return nil }
    return least
  }
}
