import Components

/// Finds the port that a person means.
struct NodeFinder {
  private let instruments: [Component]

  /// - Parameter instruments: The last used first.
  init(_ instruments: [Component]) { self.instruments = instruments }

  init() {
    self.init(
      ComponentRegistry().components(
        matching: ComponentQuery(type: .instrument), sortedBy: .lastUse))
  }

  /// - Parameter name: A port's name, or what is after its colon; `NODE/` and that; or the name of a node
  ///   that has one instrument. `nil`: the last used, of those that run or else of all.
  /// - Throws: When none is meant, or several are; what there is instead is said.
  func find(_ name: String?) throws(Failure) -> Component {
    guard let first = instruments.first(where: \.isRunning) ?? instruments.first else {
      throw Failure(
        .failed,
        "there is no instrument to play: start a node, such as portative serve, or let hosts start "
          + "it themselves: portative serve --install")
    }
    guard let name else { return first }
    let found = named(name)
    if found.count > 1 {
      throw .usage(
        "'\(name)' may be \(list(found.map { "\($0.node)/\($0.port.name)" })): which one?")
    }
    if let component = found.first { return component }
    let known = instruments.flatMap { [$0.port.name, $0.port.shortName, $0.node] }
    let hint = closest(to: name.lowercased(), among: known.map { $0.lowercased() })
    let meant = known.first { $0.lowercased() == hint }
    throw .usage(
      "no instrument is named '\(name)': "
        + (meant.map { "did you mean '\($0)'?" }
          ?? "there is \(list(instruments.map(\.port.name)))"))
  }

  private func named(_ name: String) -> [Component] {
    let ports = select(name, from: instruments)
    if !ports.isEmpty { return ports }
    if let slash = name.firstIndex(of: "/") {
      let node = instruments.filter { $0.node == name[..<slash] }
      return select(String(name[name.index(after: slash)...]), from: node)
    }
    return instruments.filter { $0.node == name }
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
