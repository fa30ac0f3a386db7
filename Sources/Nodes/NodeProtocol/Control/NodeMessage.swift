package import NodeDirectory
package import RenderCore

/// What a node says.
package enum NodeMessage: Codable, Equatable, Sendable {
  case welcome(protocol: Int, node: Peer)
  /// As many ports as a packet holds, of so many in all.
  case report(NodeReport, count: Int)
  case opened(port: PortDescription)
  /// The answer to `describe`: as `opened` and `initialized`.
  case described(port: PortDescription, latency: Int, tail: Int? = nil, parameters: Int)
  /// `tail` is `nil` where nobody knows; `parameters` is how many there are.
  case initialized(latency: Int, tail: Int? = nil, parameters: Int = 0)
  case uninitialized
  /// The answer to a message that cannot be followed.
  case refused(ProtocolError)
  /// Unasked: the port has freed what it rendered with.
  case parked(reason: ParkReason)
  /// Unasked: the port is not published any more; the connection ends.
  case withdrawn
  /// As many parameters as a packet holds, of so many in all, and all groups.
  case parameters(ParameterTree, count: Int)
  case values([Float])
  /// As many presets as a packet holds, of so many in all.
  case presets([Preset], count: Int)
  case state(UnitState)
  /// What was asked for is done.
  case done
  /// Unasked: the unit's latency or tail is another.
  case changed(latency: Int, tail: Int?)
  /// Unasked: the node wants the host to do something; `commanded` answers it, with this number.
  case command(RemoteCommand, number: UInt32)
  /// Unasked: the node wants the host to show itself.
  case show
}
