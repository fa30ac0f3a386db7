package import NodeDirectory
package import RenderCore

/// A message from a node to a host: an answer, or an unsolicited notification.
package enum NodeMessage: Codable, Equatable, Sendable {
  case welcome(protocol: Int, node: Peer)
  /// The answer to `report`: as many ports as fit into a packet. `count` is the total number.
  case report(NodeReport, count: Int)
  case opened(port: PortDescription)
  /// The answer to `describe`. The fields have the same meaning as in `opened` and `initialized`.
  case described(port: PortDescription, latency: Int, tail: Int? = nil, parameters: Int)
  /// `latency` and `tail` are in frames; `tail` is `nil` if unknown. `parameters` is the number of parameters.
  case initialized(latency: Int, tail: Int? = nil, parameters: Int = 0)
  case uninitialized
  /// The answer to a request that failed.
  case refused(ProtocolError)
  /// Unsolicited: the port has been parked and its render resources have been freed.
  case parked(reason: ParkReason)
  /// Unsolicited: the port is no longer published. The connection ends.
  case withdrawn
  /// As many parameters as fit into a packet, and all groups. `count` is the total number of parameters.
  case parameters(ParameterTree, count: Int)
  case values([Float])
  /// As many presets as fit into a packet. `count` is the total number.
  case presets([Preset], count: Int)
  case state(UnitState)
  /// The request has been carried out.
  case done
  /// Unsolicited: the unit's latency or tail has changed.
  case changed(latency: Int, tail: Int?)
  /// Unsolicited: a command for the host, which responds with `commanded` and the same number.
  case command(RemoteCommand, number: UInt32)
  /// Unsolicited: asks the host to show its window.
  case show
}
