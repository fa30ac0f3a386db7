package import NodeDirectory

/// A message from a host to a node.
package enum HostMessage: Codable, Equatable, Sendable {
  /// Introduces the host. Must be the first message.
  case hello(protocol: Int, host: Peer)
  /// Requests the node's ports and their state, without the first `from` ports.
  case report(from: Int)
  /// Acquires a port.
  case open(component: ComponentDescription)
  /// Requests the description of a port without acquiring it. The messages `parameters`, `values` and `presets` then
  /// refer to that port.
  case describe(component: ComponentDescription)
  /// Prepares the port for rendering. The segment's descriptor is attached to the packet.
  case initialize(Initialization)
  case uninitialize
  /// Frees the resources of ``initialize(_:)``. Has no answer, because the node may not be able to answer in time.
  case park(reason: ParkReason)
  /// The names of the other ports that this host is connected to. Has no answer.
  case siblings(names: [String])
  /// Requests the parameters of the unit, without the first `from`.
  case parameters(from: Int)
  /// Requests the values of all parameters, in their order.
  case values
  /// Sets parameters by identifier: all or, on an error, none.
  case set(values: [String: Float])
  /// Requests the presets of the unit, without the first `from`.
  case presets(from: Int)
  /// Sets the parameters of a preset.
  case usePreset(number: Int)
  /// Requests the unit's state.
  case save
  /// Restores a saved state of the unit.
  case restore(state: UnitState)
  /// The commands that the host supports from now on. Has no answer.
  case takes(commands: [RemoteCommand.Kind])
  /// The host's response to the command with this number. Has no answer.
  case commanded(number: UInt32, isDone: Bool)
  /// Asks the node to forward a command to the host that is connected to a port.
  case command(RemoteCommand, component: ComponentDescription)
  /// Asks the node to show its window. Has no answer.
  case show
}
