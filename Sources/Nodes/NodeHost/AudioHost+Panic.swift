public import NodeDirectory
import NodeProtocol

extension AudioHost {
  /// Ends everything that sounds in real time on a node: notes, held keys and pedals, tails, and the songs of hosts that
  /// accept the command to stop. Parameters, programs and controllers remain.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - node: The name of a running node.
  ///   - component: The port; `nil` for all ports of the node.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node of an earlier version.
  public func panic(
    _ node: String, component: ComponentDescription? = nil
  ) throws(ConnectionError) {
    try panic(node, component: component, socketPath: socketPath(ofNode: node))
  }

  /// Ends everything that sounds on the node that listens at a path.
  package func panic(
    _ node: String, component: ComponentDescription?, socketPath: String
  ) throws(ConnectionError) {
    _ = try ask(
      node, socketPath, Panic(component: component), seconds: ControlLink.preparationLimit)
  }
}
