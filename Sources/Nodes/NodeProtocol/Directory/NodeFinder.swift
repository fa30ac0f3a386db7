package import LocalSystem

/// Finds the port that a user has named.
package struct NodeFinder {
  private let kind: Kind
  private let components: [Component]

  /// The kind of port to find.
  package enum Kind: String {
    case instrument, effect, port

    package func includes(_ type: PortType) -> Bool {
      switch self {
      case .instrument: type == .instrument
      case .effect: type.takesAudio
      case .port: true
      }
    }
  }

  /// - Parameter components: Sorted by last use, the latest first.
  package init(_ components: [Component], for kind: Kind = .instrument) {
    self.kind = kind
    self.components = components.filter { kind.includes($0.port.component.type) }
  }

  package init(for kind: Kind = .instrument) {
    self.init(
      ComponentRegistry().components(matching: ComponentQuery(), sortedBy: .lastUse), for: kind)
  }

  /// Returns the port with a name.
  ///
  /// - Parameter name: A name as for ``named(_:)``; `nil` for the last used port, of those that run or else of all.
  /// - Throws: ``Failure`` if no port or several ports match; the message lists the candidates. A port whose name the
  ///   names of all others begin with matches alone.
  package func find(_ name: String?) throws(Failure) -> Component {
    guard let first = components.first(where: \.isRunning) ?? components.first else {
      throw Failure(
        .failed,
        "there is no \(kind.rawValue): start a node, such as portative serve, or let hosts start it: "
          + "portative serve --install")
    }
    guard let name else { return first }
    let found = named(name)
    if let component = shortest(of: found, by: \.port.name) { return component }
    if found.count > 1 {
      throw .usage("'\(name)' is ambiguous: use \(list(Self.paths(found)))")
    }
    let known = components.flatMap { [$0.port.name, $0.port.shortName, $0.node] }
    let hint = closest(to: name.lowercased(), among: known.map { $0.lowercased() })
    let nearest = known.first { $0.lowercased() == hint }
    throw .usage(
      "no \(kind.rawValue) is named '\(name)': "
        + (nearest.map { "did you mean '\($0)'?" }
          ?? "use \(list(components.map(\.port.name)))"))
  }

  /// Returns all components that match a name; empty if there is none.
  ///
  /// The first of these interpretations that matches is used: a port's name, or the part after its colon; the codes of
  /// its component, such as `instrument gmsy Ptvo` or `gmsy`; the name of a node; a part of a port's name. Each except
  /// the name of a node may follow `NODE/`.
  package func named(_ name: String) -> [Component] {
    let whole = select(name, from: components)
    if !whole.isEmpty { return whole }
    if let slash = name.firstIndex(of: "/") {
      let node = components.filter { $0.node == name[..<slash] }
      let rest = String(name[name.index(after: slash)...])
      let found = select(rest, from: node)
      if !found.isEmpty { return found }
      let parts = Self.containing(rest, in: node)
      if !parts.isEmpty { return parts }
    }
    let node = components.filter { $0.node == name }
    return node.isEmpty ? Self.containing(name, in: components) : node
  }

  /// Returns the components whose name or codes are equal to the text.
  private func select(_ text: String, from components: [Component]) -> [Component] {
    let named = ComponentQuery(name: text).select(from: components, by: \.port)
    if !named.isEmpty { return named }
    return components.filter { Self.codes($0.port.component).contains(text) }
  }

  /// Returns the ways to write a component's codes. The subtype may be written without its trailing spaces.
  private static func codes(_ component: ComponentDescription) -> [String] {
    let subtype = component.subtype.description
    let trimmed = String(subtype.reversed().drop { $0 == " " }.reversed())
    return [
      component.description, "\(component.type) \(subtype)", "\(component.type) \(trimmed)",
      "\(subtype) \(component.manufacturer)", subtype, trimmed,
    ].filter { !$0.isEmpty }
  }

  /// Returns the components whose names contain the text, ignoring case.
  private static func containing(_ text: String, in components: [Component]) -> [Component] {
    let text = text.lowercased()
    if text.isEmpty { return [] }
    return components.filter { $0.port.name.lowercased().contains(text) }
  }

  /// Returns a path for each component; paths that are not unique contain the component's codes instead of the name.
  private static func paths(_ components: [Component]) -> [String] {
    let paths = components.map { "\($0.node)/\($0.port.name)" }
    return zip(paths, components).map { path, component in
      paths.count { $0 == path } == 1 ? path : "\(component.node)/\(component.port.component)"
    }
  }

  /// Returns the names in quotes, without duplicates.
  private func list(_ names: [String]) -> String {
    var words: [String] = []
    for word in names.map({ "'\($0)'" }) where !words.contains(word) { words.append(word) }
    return alternatives(words)
  }
}
