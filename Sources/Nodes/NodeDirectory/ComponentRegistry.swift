public import LocalSystem

/// Knows every component that a host could connect to: those that run, and those that could be
/// launched.
///
/// It keeps nothing: each question looks at the files as they are. Realtime: no. Threads: any.
public struct ComponentRegistry: Sendable {
  public let directories: NodeDirectories

  public init(_ environment: ProcessEnvironment = .current) {
    self.init(NodeDirectories(environment))
  }

  public init(_ directories: NodeDirectories) {
    self.directories = directories
  }

  /// The components that match, none if none does.
  ///
  /// A port that is in the manifest of a node and published by it is one component, as published.
  /// Two nodes that offer the same component are two.
  public func components(
    matching query: ComponentQuery = .any, sortedBy order: ComponentOrder = .makerAndName
  ) -> [Component] {
    contents(matching: query, sortedBy: order).components
  }

  /// Manifests and nodes that are of no use; they hide no others.
  public var problems: [ComponentProblem] { contents().problems }

  /// Both at once, of the same moment.
  public func contents(
    matching query: ComponentQuery = .any, sortedBy order: ComponentOrder = .makerAndName
  ) -> Contents {
    let (manifests, manifestProblems) = NodeManifest.all(in: directories)
    let (nodes, nodeProblems) = RunningNode.read(in: directories)
    let lastUse = LastUse(directories)
    func component(
      _ port: PortDescription, _ node: String, _ pid: Int32?, _ manifest: NodeManifest?
    ) -> Component {
      Component(
        port: port, node: node, pid: pid, manifest: manifest?.file,
        lastUse: lastUse.time(of: port.component, of: node))
    }
    let running = nodes.flatMap { node in
      node.ports.map { port in
        let manifest = manifests.first { $0.name == node.name && $0.lists(port.component) }
        return component(port, node.name, node.pid, manifest)
      }
    }
    let launchable = manifests.flatMap { manifest in
      let node = nodes.first { $0.name == manifest.name }
      let ports = manifest.ports.filter { node?.publishes($0.component) != true }
      return ports.map { component($0, manifest.name, nil, manifest) }
    }
    return Contents(
      components: order.sort(query.select(from: running + launchable, by: \.port)),
      problems: manifestProblems + nodeProblems)
  }

  /// What there is at one moment.
  public struct Contents: Hashable, Sendable {
    public let components: [Component]
    public let problems: [ComponentProblem]
  }
}
