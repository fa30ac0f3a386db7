extension NodeManifest {
  /// Checks the ports that a running node publishes against the manifest.
  ///
  /// Every published port must be listed in the manifest with the same name, version, icon and tags (in any order). A
  /// listed port need not be published.
  ///
  /// - Throws: ``PublishError`` for the first port that differs.
  public func check(published ports: [PortDescription]) throws(PublishError) {
    for port in ports {
      guard let promised = self.ports.first(where: { $0.component == port.component }) else {
        throw .notInManifest(port.component, file: file, listed: self.ports.map(\.component))
      }
      func compare(
        _ field: String, _ published: String, _ promised: String, isSame: Bool? = nil
      ) throws(PublishError) {
        if isSame ?? (published == promised) { return }
        throw .differs(
          port.component, field: field, published: published, promised: promised, file: file)
      }
      try compare("name", port.name, promised.name)
      try compare("version", port.version.description, promised.version.description)
      try compare("icon", port.icon ?? "none", promised.icon ?? "none")
      try compare(
        "tags", Self.list(port.tags), Self.list(promised.tags),
        isSame: Set(port.tags) == Set(promised.tags))
    }
  }

  private static func list(_ tags: [String]) -> String {
    tags.isEmpty ? "none" : tags.sorted().joined(separator: ", ")
  }
}

/// A published port that differs from the manifest.
public enum PublishError: Error, Equatable, Sendable, CustomStringConvertible {
  case notInManifest(ComponentDescription, file: String, listed: [ComponentDescription])
  /// `field` is `name`, `version`, `icon` or `tags`.
  case differs(
    ComponentDescription, field: String, published: String, promised: String, file: String)

  public var description: String {
    switch self {
    case .notInManifest(let component, let file, let listed):
      return "the component '\(component)' is published, but the manifest '\(file)' lists only "
        + listed.map { "'\($0)'" }.joined(separator: ", ") + ": list it there, or do not publish it"
    case .differs(let component, let field, let published, let promised, let file):
      return
        "the \(field) of '\(component)' is published as '\(published)', but is '\(promised)' in "
        + "the manifest '\(file)': make them the same"
    }
  }
}
