import LocalSystem
import NodeDirectory

/// The graph of the ports that chains play: the ports of a server's plan, and those of nodes with manifests.
///
/// A chain that contains itself would wait for itself.
struct ChainGraph {
  private let node: String
  /// The ports that each port plays.
  private let played: [Place: [Component]]

  private struct Place: Hashable {
    let node: String
    let component: ComponentDescription

    init(_ component: Component) {
      node = component.node
      self.component = component.port.component
    }
  }

  /// - Parameters:
  ///   - ports: The ports that the server is going to publish, instead of its current ports.
  ///   - node: The name of the server's node.
  init(_ ports: [PortPlan], of node: String, in environment: ProcessEnvironment) {
    self.node = node
    if ports.allSatisfy(\.nodes.isEmpty) {
      played = [:]
      return
    }
    let registry = ComponentRegistry(environment)
    let own = ports.map { Component(port: $0.description, node: node) }
    let others = registry.components(sortedBy: .lastUse).filter { $0.node != node }
    let finder = NodeFinder(own + others, for: .port)
    var played: [Place: [Component]] = [:]
    func add(_ names: [String], to component: Component) {
      // A name that matches no port, or several, is reported when the chain is played.
      let found = names.map(finder.named).filter { $0.count == 1 }
      played[Place(component)] = found.map { $0[0] }
    }
    for (port, component) in zip(ports, own) {
      if port.unit == .chain { add(port.nodes, to: component) }
    }
    for name in Set(others.map(\.node)) {
      // An unreadable manifest is reported when it is used.
      guard let manifest = try? NodeManifest.find(name, in: registry.directories) else { continue }
      for component in others where component.node == name {
        if let names = manifest.chains[component.port.component] { add(names, to: component) }
      }
    }
    self.played = played
  }

  /// - Returns: A description of the cycle, if the chain of a port contains that port.
  func cycle(through port: PortPlan) -> String? {
    let start = Component(port: port.description, node: node)
    var seen: Set<Place> = []
    guard let way = way(from: start, to: Place(start), &seen) else { return nil }
    let names = ([start] + way).map { component in
      component.node == node
        ? "'\(component.port.name)'" : "'\(component.node)/\(component.port.name)'"
    }
    return "contains a cycle: \(names.joined(separator: " plays ")); remove one of them"
  }

  /// Returns the ports on a path, including the goal; `nil` if there is no path.
  private func way(
    from port: Component, to goal: Place, _ seen: inout Set<Place>
  ) -> [Component]? {
    guard seen.insert(Place(port)).inserted else { return nil }
    for next in played[Place(port)] ?? [] {
      if Place(next) == goal { return [next] }
      if let rest = way(from: next, to: goal, &seen) { return [next] + rest }
    }
    return nil
  }
}
