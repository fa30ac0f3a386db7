/// A port that a host could connect to.
public struct Component: Hashable, Sendable {
  public let port: PortDescription
  /// The name of the node that offers it.
  public let node: String
  /// The process that publishes it; `nil` if none does, or not now.
  public let pid: Int32?
  /// The manifest that says how to start the node; `nil` if it cannot be launched.
  public let manifest: String?
  /// Seconds since the beginning of 1970, in universal time, when a host last connected to it.
  public let lastUse: Double?

  package init(
    port: PortDescription, node: String, pid: Int32? = nil, manifest: String? = nil,
    lastUse: Double? = nil
  ) {
    self.port = port
    self.node = node
    self.pid = pid
    self.manifest = manifest
    self.lastUse = lastUse
  }

  /// Whether it is published at this moment.
  public var isRunning: Bool { pid != nil }
  /// Whether connecting can start its node.
  public var canBeLaunched: Bool { manifest != nil }
}

/// In what order components are listed.
public enum ComponentOrder: Hashable, Sendable {
  /// As in a phone book: upper and lower case are alike.
  case makerAndName
  /// The latest first; those never used last, by maker and name.
  case lastUse
}

extension ComponentOrder {
  func sort(_ components: [Component]) -> [Component] {
    // Made once for each, and all that tells two apart, so that the order is the same each time.
    func key(_ component: Component) -> [String] {
      let port = component.port
      return [
        port.maker.lowercased(), port.shortName.lowercased(), component.node,
        port.component.description,
      ]
    }
    let pairs = components.map { (key: key($0), component: $0) }
    return pairs.sorted { a, b in
      if self == .lastUse, a.component.lastUse != b.component.lastUse {
        return a.component.lastUse ?? -.infinity > b.component.lastUse ?? -.infinity
      }
      return a.key.lexicographicallyPrecedes(b.key)
    }.map(\.component)
  }
}
