public import NodeDirectory
import NodeProtocol
public import RenderCore

/// The properties of a port: its description, latency, parameters and presets.
public struct PortDetails: Sendable {
  public let port: PortDescription
  /// The unit's latency in frames.
  public let latency: Int
  /// The unit's tail in frames; `nil` if unknown.
  public let tail: Int?
  public let parameters: ParameterTree
  /// The current values, in the order of the parameters.
  public let values: [Float]
  public let presets: [Preset]
}

extension AudioHost {
  /// Returns the properties of a port without acquiring it. The values are the current ones if a host has initialized
  /// the port, otherwise the initial ones. Starts the node if it does not run.
  ///
  /// - Parameters:
  ///   - component: A component of a ``ComponentRegistry``.
  ///   - limit: The longest wait for a node to start and publish the component.
  public func details(
    of component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> PortDetails {
    try PortDetails(control(of: component, within: limit))
  }

  /// Returns the properties of a port of the node that listens at a path.
  package func details(
    of component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> PortDetails {
    try PortDetails(control(of: component, ofNode: node, socketPath: socketPath))
  }
}

extension PortDetails {
  init(_ control: PortControl) throws(ConnectionError) {
    port = control.port
    latency = control.latency
    tail = control.tail
    parameters = control.parameters
    values = try control.values()
    presets = try control.presets()
  }
}
