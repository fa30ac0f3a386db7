public import NodeDirectory
import NodeProtocol
public import RenderCore

/// What a port can be told.
public struct PortDetails: Sendable {
  public let port: PortDescription
  /// Frames.
  public let latency: Int
  /// Frames; `nil`: the unit does not know.
  public let tail: Int?
  public let parameters: ParameterTree
  /// In the order of the parameters.
  public let values: [Float]
  public let presets: [Preset]
}

extension AudioHost {
  /// Asks what a port can be told, without taking it: of one that a host plays, its parameters are as they are now, else
  /// as they are to begin with. Its node is started if it does not run.
  ///
  /// - Parameter limit: The longest to wait for a node to start and publish.
  public func details(
    of component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> PortDetails {
    try launch(component, within: limit)
    return try details(
      of: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
  }

  /// Asks the node that listens at a path.
  package func details(
    of component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> PortDetails {
    let link = try greeted(node, socketPath)
    defer { link.close() }
    let question = HostMessage.describe(component: component)
    let answer = try link.ask(question, seconds: Link.preparationLimit)
    guard case .described(let port, let latency, let tail, let count) = answer else {
      throw link.violated()
    }
    let parameters = try link.parameters(count)
    return PortDetails(
      port: port, latency: latency, tail: tail, parameters: parameters,
      values: try link.values(count), presets: try link.presets())
  }
}
