package import Components

/// What a host says.
package enum HostMessage: Codable, Equatable, Sendable {
  /// The first message.
  case hello(protocol: Int, host: Peer)
  /// Asks for what the node publishes and how each port stands, but for the first so many ports.
  case report(from: Int)
  /// Takes a port.
  case open(component: ComponentDescription)
  /// Makes the port ready to render; the segment comes with it, as a descriptor.
  case initialize(Initialization)
  case uninitialize
  /// Frees what ``initialize(_:)`` made, without an answer: the node may be too late for one.
  case park(reason: ParkReason)
  /// The other nodes of this host, without an answer.
  case siblings(names: [String])
}
