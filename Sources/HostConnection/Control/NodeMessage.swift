package import Components

/// What a node says.
package enum NodeMessage: Codable, Equatable, Sendable {
  case welcome(protocol: Int, node: Peer)
  /// As many ports as a packet holds, of so many in all.
  case report(NodeReport, count: Int)
  case opened(port: PortDescription)
  case initialized(latency: Int)
  case uninitialized
  /// The answer to a message that cannot be followed.
  case refused(Refusal)
  /// Unasked: the port has freed what it rendered with.
  case parked(reason: ParkReason)
  /// Unasked: the port is not published any more; the connection ends.
  case withdrawn
}
