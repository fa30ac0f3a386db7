import LocalSystem
import NodeDirectory

/// Which ports play which others: those of a server's plan, and those of nodes that have manifests.
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
  ///   - ports: Those that the server is to publish, instead of what it publishes now.
  ///   - node: Its name.
  init(_ ports: [ServePlan.Port], of node: String, in environment: ProcessEnvironment) {
    self.node = node
    let chains = ports.filter { if case .chain = $0.unit { true } else { false } }
    if chains.isEmpty {
      played = [:]
      return
    }
    let registry = ComponentRegistry(environment)
    let own = ports.map { Component(port: $0.description, node: node) }
    let others = registry.components(sortedBy: .lastUse).filter { $0.node != node }
    let finder = NodeFinder(own + others, for: .port)
    var played: [Place: [Component]] = [:]
    func add(_ names: [String], to component: Component) {
      // A name that means no port now, or several, is told of when the chain is played.
      let found = names.map(finder.named).filter { $0.count == 1 }
      played[Place(component)] = found.map { $0[0] }
    }
    for (port, component) in zip(ports, own) {
      if case .chain(let names) = port.unit { add(names, to: component) }
    }
    for name in Set(others.map(\.node)) {
      // One that cannot be read is told of by whoever needs it.
      guard let manifest = try? NodeManifest.find(name, in: registry.directories) else { continue }
      for component in others where component.node == name {
        if let names = manifest.chains[component.port.component] { add(names, to: component) }
      }
    }
    self.played = played
  }

  /// - Returns: What is wrong with the chain of a port, if it leads back to itself.
  func cycle(through port: ServePlan.Port) -> String? {
    let start = Component(port: port.description, node: node)
    var seen: Set<Place> = []
    guard let way = way(from: start, to: Place(start), &seen) else { return nil }
    let names = ([start] + way).map { component in
      component.node == node
        ? "'\(component.port.name)'" : "'\(component.node)/\(component.port.name)'"
    }
    return
      "lead back to their own port: \(names.joined(separator: " plays ")); leave one of them out"
  }

  /// The ports on the way, and the goal.
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
