public import LocalSystem

/// The components that a host can connect to: those that run, and those that can be launched.
///
/// Nothing is cached: every call reads the files. Realtime: no. Threads: any.
public struct ComponentRegistry: Sendable {
  public let directories: NodeDirectories

  public init(_ environment: ProcessEnvironment = .current) {
    self.init(NodeDirectories(environment))
  }

  public init(_ directories: NodeDirectories) {
    self.directories = directories
  }

  /// Returns the components that match; an empty array if there are none.
  ///
  /// A port that a running node publishes and its manifest lists is returned once, as published. The same component
  /// offered by two nodes is returned twice.
  public func components(
    matching query: ComponentQuery = .any, sortedBy order: ComponentOrder = .makerAndName
  ) -> [Component] {
    contents(matching: query, sortedBy: order).components
  }

  /// Unusable manifests and nodes. The other components are still listed.
  public var problems: [ComponentProblem] { contents().problems }

  /// Returns the components that match, and the problems found by the same read of the files.
  public func contents(
    matching query: ComponentQuery = .any, sortedBy order: ComponentOrder = .makerAndName
  ) -> Contents {
    let (manifests, manifestProblems) = NodeManifest.all(in: directories)
    let (nodes, nodeProblems) = RunningNode.read(in: directories)
    let lastUse = LastUse(directories)
    func component(
      _ port: PortDescription, _ node: String, _ processID: Int32?, _ manifest: NodeManifest?
    ) -> Component {
      Component(
        port: port, node: node, processID: processID, manifest: manifest?.file,
        lastUse: lastUse.time(of: port.component, of: node))
    }
    let running = nodes.flatMap { node in
      node.ports.map { port in
        let manifest = manifests.first { $0.name == node.name && $0.lists(port.component) }
        return component(port, node.name, node.processID, manifest)
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

  /// The components and problems found by one read of the files.
  public struct Contents: Hashable, Sendable {
    public let components: [Component]
    public let problems: [ComponentProblem]
  }
}

/// A file or folder that prevents its components from being listed. Other components are not affected.
public struct ComponentProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the unusable file or folder.
  public let path: String
  /// A sentence that gives the path, the problem and the remedy.
  public let message: String

  public var description: String { message }
}
