import Components

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

  /// - Parameter name: A port's name, or what is after its colon; `NODE/` and that; or the name of a node
  ///   that has one such port. `nil`: the last used, of those that run or else of all.
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
        "'\(name)' may be \(list(found.map { "\($0.node)/\($0.port.name)" })): which one?")
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
  func named(_ name: String) -> [Component] {
    let ports = select(name, from: components)
    if !ports.isEmpty { return ports }
    if let slash = name.firstIndex(of: "/") {
      let node = components.filter { $0.node == name[..<slash] }
      return select(String(name[name.index(after: slash)...]), from: node)
    }
    return components.filter { $0.node == name }
  }

  private func select(_ name: String, from components: [Component]) -> [Component] {
    ComponentQuery(name: name).select(from: components, by: \.port)
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
