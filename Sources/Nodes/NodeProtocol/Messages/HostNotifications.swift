// The notifications of a host to a node.

/// Frees the resources of ``InitializePort``, without an answer because the node may not be able to answer in time.
package struct ParkPort: Notification {
  package static let method = "park"
  package var reason: ParkReason

  package init(reason: ParkReason) { self.reason = reason }
}

/// The names of the other ports to which this host is connected.
package struct PeerNodeNames: Notification {
  package static let method = "peerNodes"
  package var names: [String]

  package init(names: [String]) { self.names = names }
}

/// The transport commands that the host supports from now on.
package struct SupportedCommands: Notification {
  package static let method = "supportedCommands"
  package var commands: [RemoteCommand.Kind]

  package init(commands: [RemoteCommand.Kind]) { self.commands = commands }
}

/// Asks the other side to show its window. Sent by hosts and nodes.
package struct ShowWindow: Notification {
  package static let method = "show"

  package init() {}
}
