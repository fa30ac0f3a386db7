import LocalSystem
import NodeProtocol

/// The graph of the ports that chains play: the ports of a server's plan, and those of nodes with manifests.
///
/// A chain that contains itself would wait for itself.
struct ChainGraph {
  private let node: String
  /// The ports that each chain plays.
  private let played: [Key: [Component]]

  private struct Key: Hashable {
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
    var chains = zip(own, ports.map(\.nodes)).filter { !$1.isEmpty }
    for name in Set(others.map(\.node)) {
      // An unreadable manifest is reported when it is used.
      guard let manifest = try? NodeManifest.find(name, in: registry.directories) else { continue }
      for component in others where component.node == name {
        if let names = manifest.chains[component.port.component] {
          chains.append((component, names))
        }
      }
    }
    let finder = NodeFinder(own + others, for: .port)
    let edges = chains.map { component, names in
      // A name that matches no port, or several, is reported when the chain is played.
      (Key(component), names.map(finder.named).filter { $0.count == 1 }.flatMap(\.self))
    }
    played = Dictionary(edges) { _, last in last }
  }

  /// - Returns: A description of the cycle, if the chain of a port contains that port.
  func cycle(through port: PortPlan) -> String? {
    let start = Component(port: port.description, node: node)
    var visited: Set<Key> = []
    guard let path = path(from: start, to: Key(start), &visited) else { return nil }
    let names = ([start] + path).map { component in
      component.node == node
        ? "'\(component.port.name)'" : "'\(component.node)/\(component.port.name)'"
    }
    return "contains a cycle: \(names.joined(separator: " plays ")); remove one of them"
  }

  /// Returns the ports on a path, including the goal; `nil` if there is no path.
  private func path(
    from port: Component, to goal: Key, _ visited: inout Set<Key>
  ) -> [Component]? {
    guard visited.insert(Key(port)).inserted else { return nil }
    for next in played[Key(port)] ?? [] {
      if Key(next) == goal { return [next] }
      if let rest = path(from: next, to: goal, &visited) { return [next] + rest }
    }
    return nil
  }
}
