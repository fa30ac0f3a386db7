import LocalSystem
import NodeDirectory
import Options

/// Finds the port that a person means.
struct NodeFinder {
  private let kind: Kind
  private let components: [Component]

  /// What is looked for.
  enum Kind: String {
    case instrument, effect, port

    func includes(_ type: PortType) -> Bool {
      switch self {
      case .instrument: type == .instrument
      case .effect: type.takesAudio
      case .port: true
      }
    }
  }

  /// - Parameter components: The last used first.
  init(_ components: [Component], for kind: Kind = .instrument) {
    self.kind = kind
    self.components = components.filter { kind.includes($0.port.component.type) }
  }

  init(for kind: Kind = .instrument) {
    self.init(
      ComponentRegistry().components(matching: ComponentQuery(), sortedBy: .lastUse), for: kind)
  }

  /// - Parameter name: As of ``named(_:)``. `nil`: the last used, of those that run or else of all.
  /// - Throws: When none is meant, or several are; what there is instead is said.
  func find(_ name: String?) throws(Failure) -> Component {
    guard let first = components.first(where: \.isRunning) ?? components.first else {
      throw Failure(
        .failed,
        "there is no \(kind.rawValue) to play: start a node, such as portative serve, or let hosts start "
          + "it themselves: portative serve --install")
    }
    guard let name else { return first }
    let found = named(name)
    if found.count > 1 {
      throw .usage(
        "'\(name)' may be \(list(Self.paths(found))): which one?")
    }
    if let component = found.first { return component }
    let known = components.flatMap { [$0.port.name, $0.port.shortName, $0.node] }
    let hint = closest(to: name.lowercased(), among: known.map { $0.lowercased() })
    let meant = known.first { $0.lowercased() == hint }
    throw .usage(
      "no \(kind.rawValue) is named '\(name)': "
        + (meant.map { "did you mean '\($0)'?" }
          ?? "there is \(list(components.map(\.port.name)))"))
  }

  /// All that a name may mean: none if there is none of it.
  ///
  /// The first of these that there is: a port's name, or what is after its colon; its component's codes, such as
  /// `instrument gmsy Ptvo` or `gmsy`; the name of a node; a part of a port's name. Each may follow `NODE/`.
  func named(_ name: String) -> [Component] {
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

  /// Those whose name, or codes, the text is.
  private func select(_ text: String, from components: [Component]) -> [Component] {
    let named = ComponentQuery(name: text).select(from: components, by: \.port)
    if !named.isEmpty { return named }
    return components.filter { Self.codes($0.port.component).contains(text) }
  }

  /// The ways to write a component: its codes may end in spaces, which nobody types.
  private static func codes(_ component: ComponentDescription) -> [String] {
    let subtype = component.subtype.description
    let trimmed = String(subtype.reversed().drop { $0 == " " }.reversed())
    return [
      component.description, "\(component.type) \(subtype)", "\(component.type) \(trimmed)",
      "\(subtype) \(component.manufacturer)", subtype, trimmed,
    ].filter { !$0.isEmpty }
  }

  /// Those of whose name the text is a part, in upper or lower case.
  private static func containing(_ text: String, in components: [Component]) -> [Component] {
    let text = text.lowercased()
    if text.isEmpty { return [] }
    return components.filter { $0.port.name.lowercased().contains(text) }
  }

  /// Names that tell components apart.
  private static func paths(_ components: [Component]) -> [String] {
    let paths = components.map { "\($0.node)/\($0.port.name)" }
    return zip(paths, components).map { path, component in
      paths.count { $0 == path } == 1 ? path : "\(component.node)/\(component.port.component)"
    }
  }

  /// The names in quotes, each once, and not too many.
  private func list(_ names: [String]) -> String {
    var words: [String] = []
    for word in names.map({ "'\($0)'" }) where !words.contains(word) { words.append(word) }
    if words.count > 8 { words = words.prefix(8) + ["others"] }
    return words.count < 2
      ? words.joined() : "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
  }
}
