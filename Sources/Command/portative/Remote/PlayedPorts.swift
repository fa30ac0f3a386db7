import LocalSystem
import NodeHost
import NodeProtocol

/// The ports whose hosts, or whose server's own transport, receive commands, among those that a name matches.
struct PlayedPorts {
  struct Port {
    let component: Component
    /// The host; `nil` if the port follows another transport, such as that of JACK.
    let host: Peer?
    /// The commands that the host accepts.
    let commands: [RemoteCommand.Kind]

    var name: String { component.port.name }
    /// The receiver of the commands, for the user.
    var receiver: String { host.map { "\($0)" } ?? "the transport of \(component.node)" }
  }

  private let ports: [Port]
  /// The requested name, as part of a message.
  private let description: String

  init(_ ports: [Port], named name: String?) {
    self.ports = ports
    description = name.map { "'\($0)'" } ?? "a port"
  }

  /// Queries the running nodes.
  ///
  /// - Parameter name: A name as for ``NodeFinder``; `nil` for all ports.
  init(_ host: AudioHost, _ name: String?) throws(Failure) {
    let registry = ComponentRegistry()
    var components = registry.components().filter(\.isRunning)
    if let name {
      let finder = NodeFinder(components, for: .port)
      components = finder.named(name)
      // Throws an error that lists the existing ports.
      if components.isEmpty { _ = try finder.find(name) }
    }
    var ports: [Port] = []
    for node in try RunningNodes.all(in: registry.directories) {
      let own = components.filter { $0.node == node.name }
      if own.isEmpty { continue }
      do throws(Failure) {
        ports += Self.played(own, try host.report(of: node))
      } catch {
        // Ports of other nodes may be played.
        Terminal.complain(error.message)
      }
    }
    self.init(ports, named: name)
  }

  private static func played(_ components: [Component], _ report: NodeReport) -> [Port] {
    components.compactMap { component in
      let port = report.ports.first { $0.port.component == component.port.component }
      guard let port, port.host != nil || port.commands != nil else { return nil }
      return Port(component: component, host: port.host, commands: port.commands ?? [])
    }
  }

  /// Returns the port whose host receives the command. If a host plays several ports, one whose host accepts the
  /// command is preferred.
  ///
  /// - Throws: ``Failure`` if there is no such port, or if hosts of several processes match.
  func port(for command: RemoteCommand.Kind) throws(Failure) -> Port {
    // A host has priority over the transport that other ports follow.
    let hosted = ports.filter { $0.host != nil }
    let ports = hosted.contains { !$0.commands.isEmpty } ? hosted : ports
    guard let first = ports.first else {
      throw Failure(
        .failed, "no host plays \(description): first play a song, such as with portative play")
    }
    // A node that is itself a host accepts no commands.
    let accepting = ports.filter { !$0.commands.isEmpty }
    guard let candidate = accepting.first else {
      throw Failure(.failed, "\(first.receiver) plays \(first.name), but does not accept commands")
    }
    if accepting.contains(where: { $0.host?.processID != candidate.host?.processID }) {
      let all = accepting.map { "\($0.receiver) plays '\(Self.path($0))'" }.joined(separator: ", ")
      throw .usage("several hosts accept commands: \(all); select one with --node NAME")
    }
    return accepting.first { $0.commands.contains(command) } ?? candidate
  }

  private static func path(_ port: Port) -> String {
    "\(port.component.node)/\(port.name)"
  }
}
