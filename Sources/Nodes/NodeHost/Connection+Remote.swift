public import NodeDirectory
public import NodeProtocol
import Synchronization

// Remote control. Realtime: no. Threads: any.
extension Connection {
  /// Allows the node to control the host's transport from now on.
  ///
  /// - Parameters:
  ///   - commands: The commands that the host supports. They are reported to the node; the node's requests for other
  ///     commands fail as ignored.
  ///   - execute: Executes a command and returns whether it was carried out. Called on the thread of ``onChange``, one
  ///     command at a time. The node waits up to 1 s for the result.
  public func acceptCommands(
    _ commands: Set<RemoteCommand.Kind>, _ execute: @escaping @Sendable (RemoteCommand) -> Bool
  ) {
    link.onCommand.withLock { $0 = execute }
    let supported = RemoteCommand.Kind.allCases.filter { commands.contains($0) }
    link.send(SupportedCommands(commands: supported))
  }

  /// Asks the node to show its window.
  public func show() { link.send(ShowWindow()) }
}

extension AudioHost {
  /// Sends a command to the host that plays a port, by way of the port's node. For remote controls such as foot
  /// switches.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `commandFailed` when no host is connected to the port, or the host
  ///   does not support the command or cannot carry it out now.
  public func command(_ command: RemoteCommand, hostOf component: Component) throws(ConnectionError)
  {
    try self.command(
      command, hostOf: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
  }

  package func command(
    _ command: RemoteCommand, hostOf component: ComponentDescription, ofNode node: String,
    socketPath: String
  ) throws(ConnectionError) {
    _ = try ask(node, socketPath, ForwardCommand(command.jsonSafe, component: component))
  }
}
