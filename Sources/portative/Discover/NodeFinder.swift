import Components
import NodeHost

/// Finds the port that a person means.
enum NodeFinder {
  static let host = AudioHost(name: "portative play")

  /// - Parameter name: A port's name, or what is after its colon; `nil`: the first instrument.
  /// - Throws: When none is meant, or several are; what there is instead is said.
  static func connect(named name: String?) throws(Failure) -> Connection {
    let component = try find(name)
    do throws(ConnectionError) {
      return try host.connect(to: component)
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private static func find(_ name: String?) throws(Failure) -> Component {
    let registry = ComponentRegistry()
    let instruments = ComponentQuery(type: .instrument)
    let all = registry.components(matching: instruments, sortedBy: .lastUse)
    if all.isEmpty {
      throw Failure(
        .failed, "there is no instrument to play: start a node, such as portative serve")
    }
    guard let name else { return all.first(where: \.isRunning) ?? all[0] }
    var query = instruments
    query.name = name
    let found = registry.components(matching: query)
    if found.count > 1 {
      let nodes = found.map { "'\($0.port.name)' of \($0.node)" }.joined(separator: ", ")
      throw .usage("'\(name)' is the name of several ports: \(nodes); name one in full")
    }
    guard let component = found.first else {
      let names = all.map { "'\($0.port.name)'" }.joined(separator: ", ")
      let hint = closest(to: name, among: all.map(\.port.name) + all.map(\.port.shortName))
      throw .usage(
        "no instrument is named '\(name)': "
          + (hint.map { "did you mean '\($0)'?" } ?? "there are \(names)"))
    }
    return component
  }
}
