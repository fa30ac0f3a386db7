import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol

/// The ports that hosts play, of those that somebody means.
struct PlayedPorts {
  struct Port {
    let component: Component
    let host: Peer
    /// What the host takes.
    let commands: [RemoteCommand.Kind]

    var name: String { component.port.name }
  }

  private let ports: [Port]
  /// What was asked for, in words.
  private let meant: String

  init(_ ports: [Port], meant name: String?) {
    self.ports = ports
    meant = name.map { "'\($0)'" } ?? "a port"
  }

  /// Asks the nodes.
  ///
  /// - Parameter name: As in ``NodeFinder``; `nil` for all that there is.
  init(_ host: AudioHost, _ name: String?) throws(Failure) {
    let registry = ComponentRegistry()
    var components = registry.components().filter(\.isRunning)
    if let name {
      let finder = NodeFinder(components, for: .port)
      components = finder.named(name)
      // Says what there is instead.
      if components.isEmpty { _ = try finder.find(name) }
    }
    var ports: [Port] = []
    for node in RunningNode.all(in: registry.directories) {
      let own = components.filter { $0.node == node.name }
      if own.isEmpty { continue }
      do throws(Failure) {
        ports += Self.played(own, try host.report(of: node))
      } catch {
        // Others may be played.
        Terminal.complain(error.message)
      }
    }
    self.init(ports, meant: name)
  }

  private static func played(_ components: [Component], _ report: NodeReport) -> [Port] {
    components.compactMap { component in
      let port = report.ports.first { $0.port.component == component.port.component }
      guard let port, let host = port.host else { return nil }
      return Port(component: component, host: host, commands: port.commands ?? [])
    }
  }

  /// The port whose host is to be commanded: of a host that plays several, one for which it takes the command.
  ///
  /// - Throws: When there is none, or when hosts of several programs might be meant.
  func port(for command: RemoteCommand.Kind) throws(Failure) -> Port {
    guard let first = ports.first else {
      throw Failure(
        .failed, "no host plays \(meant): play a song, as with portative play, and then command it")
    }
    // A node that is a host in turn takes none.
    let taking = ports.filter { !$0.commands.isEmpty }
    guard let candidate = taking.first else {
      throw Failure(.failed, "\(first.host) plays \(first.name), but takes no commands")
    }
    if taking.contains(where: { $0.host.processID != candidate.host.processID }) {
      let all = taking.map { "\($0.host) plays '\(Self.path($0))'" }.joined(separator: ", ")
      throw .usage("\(all): say which with --node")
    }
    return taking.first { $0.commands.contains(command) } ?? candidate
  }

  private static func path(_ port: Port) -> String {
    "\(port.component.node)/\(port.name)"
  }
}
