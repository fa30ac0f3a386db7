/// A port that a host can connect to.
public struct Component: Hashable, Sendable {
  public let port: PortDescription
  /// The name of the node that offers the port.
  public let node: String
  /// The process that publishes the port; `nil` while no process does.
  public let processID: Int32?
  /// The path of the manifest that says how to start the node; `nil` if the node cannot be launched.
  public let manifest: String?
  /// The time at which a host last connected to the port, in seconds since 1970-01-01 00:00 UTC; `nil` if never.
  public let lastUse: Double?

  package init(
    port: PortDescription, node: String, processID: Int32? = nil, manifest: String? = nil,
    lastUse: Double? = nil
  ) {
    self.port = port
    self.node = node
    self.processID = processID
    self.manifest = manifest
    self.lastUse = lastUse
  }

  /// Whether a process publishes the port now.
  public var isRunning: Bool { processID != nil }
  /// Whether connecting to the port can start its node.
  public var canBeLaunched: Bool { manifest != nil }
}

/// The order in which components are listed.
public enum ComponentOrder: Hashable, Sendable {
  /// Alphabetically by maker, then by name, ignoring case.
  case makerAndName
  /// Most recently used first. Components that were never used come last, by maker and name.
  case lastUse
}

extension ComponentOrder {
  func sort(_ components: [Component]) -> [Component] {
    // Computed once per component. The key is unique, so the order is deterministic.
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

/// The identity of a component: a type, a subtype and a manufacturer.
///
/// The three values stay the same in every version of the component, so a host may store them in a document and find
/// the component again.
public struct ComponentDescription: Hashable, Codable, Sendable, CustomStringConvertible {
  public let type: PortType
  /// Distinguishes components of the same manufacturer and type.
  public let subtype: FourCharacterCode
  public let manufacturer: FourCharacterCode

  public init(type: PortType, subtype: FourCharacterCode, manufacturer: FourCharacterCode) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// The three values, separated by spaces: `instrument gmsy Ptvo`.
  public var description: String { "\(type) \(subtype) \(manufacturer)" }
}
