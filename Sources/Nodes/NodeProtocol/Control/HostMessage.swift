package import NodeDirectory

/// What a host says.
package enum HostMessage: Codable, Equatable, Sendable {
  /// The first message.
  case hello(protocol: Int, host: Peer)
  /// Asks for what the node publishes and how each port stands, but for the first so many ports.
  case report(from: Int)
  /// Takes a port.
  case open(component: ComponentDescription)
  /// Looks at a port without taking it: `parameters`, `values` and `presets` are then about it.
  case describe(component: ComponentDescription)
  /// Makes the port ready to render; the segment comes with it, as a descriptor.
  case initialize(Initialization)
  case uninitialize
  /// Frees what ``initialize(_:)`` made, without an answer: the node may be too late for one.
  case park(reason: ParkReason)
  /// The other nodes of this host, without an answer.
  case siblings(names: [String])
  /// Asks for the parameters of the unit, but for the first so many.
  case parameters(from: Int)
  /// Asks for their values, in their order.
  case values
  /// Sets parameters, all or none.
  case set(values: [String: Float])
  /// Asks for the presets of the unit, but for the first so many.
  case presets(from: Int)
  /// Sets the parameters that a preset sets.
  case usePreset(number: Int)
  /// Asks for the unit's state.
  case save
  /// Makes the unit's state what it was.
  case restore(state: UnitState)
  /// Which commands the host takes from now on, without an answer.
  case takes(commands: [RemoteCommand.Kind])
  /// Whether it has done what the command of this number wants. Has no answer.
  case commanded(number: UInt32, isDone: Bool)
  /// Asks for a command to be passed on to the host that has a port.
  case command(RemoteCommand, component: ComponentDescription)
  /// Asks the node to show itself, without an answer.
  case show
}
