public import NodeDirectory
public import NodeProtocol
import Synchronization

// Remote control. Not realtime; threads: any.
extension Connection {
  /// Lets the node command the host's transport, from now on.
  ///
  /// - Parameters:
  ///   - commands: Those that the host takes; the node is told, and others are answered as ignored.
  ///   - obey: Gets each command, and returns whether it has done what it wants. Threads: as of ``onChange``, one
  ///     at a time; the node waits for the answer, for a second.
  public func takeCommands(
    _ commands: Set<RemoteCommand.Kind>, _ obey: @escaping @Sendable (RemoteCommand) -> Bool
  ) {
    link.onCommand.withLock { $0 = obey }
    let known = RemoteCommand.Kind.allCases.filter { commands.contains($0) }
    link.tell(.takes(commands: known))
  }

  /// Asks the node to show itself to its user.
  public func show() { link.tell(.show) }
}

extension AudioHost {
  /// Commands the host that plays a port, from the node's side: as a foot switch or a panel beside it does.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `notCommanded` where no host has the port, or where it does not
  ///   take such a command, or not now.
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
    let link = try greeted(node, socketPath)
    defer { link.close() }
    let answer = try link.ask(
      .command(command.jsonSafe, component: component), seconds: Link.answerLimit)
    guard case .done = answer else { throw link.violated() }
  }
}
