import LocalSystem
import NodeHost
import NodeProtocol

extension Component {
  /// Returns the port that a name means.
  ///
  /// - Parameter hint: What to do besides starting the node, beginning with a comma.
  /// - Throws: ``Failure`` if its node is not running.
  static func running(named name: String, hint: String = "") throws -> Component {
    let component = try NodeFinder(for: .port).find(name)
    if component.isRunning { return component }
    throw Failure(
      .failed,
      "the node '\(component.node)' of \(component.port.name) is not running: start it, such as with "
        + "portative serve\(hint)")
  }
}

extension RunningNode {
  /// Returns the name of the only node.
  ///
  /// - Throws: ``Failure`` if there is none, or more than one.
  static func only() throws(Failure) -> String {
    let nodes = all(in: NodeDirectories()).map(\.name).sorted()
    if nodes.count == 1 { return nodes[0] }
    if nodes.isEmpty {
      throw Failure(.failed, "no node is running: start one, such as with portative serve")
    }
    throw Failure.usage(
      "several nodes are running: add --node NAME, one of \(nodes.joined(separator: ", "))")
  }
}
