import BatchRenderer
import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

/// The controls of all running nodes.
struct LearnedControls {
  private let host: AudioHost
  private let nodes: [(name: String, controls: [ControlReport])]

  init(_ host: AudioHost) throws {
    self.host = host
    var nodes: [(String, [ControlReport])] = []
    for node in try RunningNodes.all() {
      do throws(ConnectionError) {
        nodes.append((node.name, try host.controls(ofNode: node.name)))
      } catch .refused(let error) where error.code == .unknownMethod {
        // A node without keyboards.
        continue
      } catch {
        Terminal.complain("\(node.name): \(error)")
      }
    }
    self.nodes = nodes
  }

  /// Returns the lines of the list.
  ///
  /// - Parameter port: The name of a port, or a part of it; `nil` for all.
  func list(of port: String?) throws(Failure) -> OutputText {
    let name = try port.map { text throws(Failure) in try self.port(text).name }
    var rows: [[String]] = []
    for (node, controls) in nodes {
      for control in controls where name == nil || control.port == name {
        rows.append([
          control.port ?? "all ports of \(node)", control.goal, control.source, control.range,
          control.problem ?? (control.origin == .learned ? "learned" : "configuration"),
        ])
      }
    }
    if rows.isEmpty {
      Terminal.note("there are no controls: portative set PORT --learn PARAMETER adds one")
      return ""
    }
    return Columns.table(["PORT", "CONTROLLED", "BY", "RANGE", "STATE"], rows)
  }

  /// Returns the list as a line of JSON.
  ///
  /// - Parameter port: The name of a port, or a part of it; `nil` for all.
  func json(of port: String?) throws(Failure) -> OutputText {
    let name = try port.map { text throws(Failure) in try self.port(text).name }
    let all = nodes.map { node in
      NodeControls(
        name: node.name, controls: node.controls.filter { name == nil || $0.port == name })
    }
    return JSONOutput.learn.line(["nodes": all])
  }

  private struct NodeControls: Encodable {
    let name: String
    let controls: [ControlReport]
  }

  /// Forgets learned controls, and writes how many.
  func clear(_ scope: LearnOptions.Scope) throws -> ExitCode {
    let count =
      switch scope {
      case .all: try clear(ClearControls(.all), ofNodes: nodes.map(\.name))
      case .panic(nil): try clear(ClearControls(.panic), ofNodes: nodes.map(\.name))
      case .port(let text): try clear(text) { ClearControls(.port, port: $0) }
      case .panic(let text?): try clear(text) { ClearControls(.panic, port: $0) }
      case .parameter(let parameter, let text):
        try clear(text) { ClearControls(.parameter, port: $0, parameter: parameter) }
      }
    if count == 0, scope != .all {
      throw Failure(
        .failed,
        "there is no such learned control: portative set --learned shows them; those of the "
          + "configuration are removed there")
    }
    return try Command.write("\(count) \(count == 1 ? "control" : "controls") cleared\n")
  }

  private func clear(_ text: String, _ request: (String) -> ClearControls) throws -> Int {
    let port = try port(text)
    return try clear(request(port.name), ofNodes: port.nodes)
  }

  private func clear(_ request: ClearControls, ofNodes nodes: [String]) throws -> Int {
    var count = 0
    for node in nodes {
      let response = try host.clear(request, ofNode: node)
      if let warning = response.warning { Terminal.note(warning) }
      count += response.count
    }
    return count
  }

  /// Finds a port that controls name, which may be gone, or one that is published.
  private func port(_ text: String) throws(Failure) -> (name: String, nodes: [String]) {
    func nodes(of name: String) -> [String] {
      self.nodes.filter { $0.controls.contains { $0.port == name } }.map(\.name)
    }
    let names = Set(self.nodes.flatMap { $0.controls.compactMap(\.port) }).sorted()
    if names.contains(text) { return (text, nodes(of: text)) }
    let found = names.filter { $0.lowercased().contains(text.lowercased()) }
    if let name = shortest(of: found, by: \.self), !text.isEmpty { return (name, nodes(of: name)) }
    if found.count > 1, !text.isEmpty {
      throw .usage("'\(text)' is ambiguous: use \(alternatives(found.map { "'\($0)'" }))")
    }
    let component = try NodeFinder(for: .port).find(text)
    return (component.port.name, [component.node])
  }
}

extension ControlReport {
  /// The controlled parameter or action.
  fileprivate var goal: String {
    switch effect {
    case .parameter: parameter ?? ""
    case .panic: "panic"
    case .scene: scene.map { "scene '\($0)'" } ?? "scene"
    case .nextScene: "next scene"
    case .previousScene: "previous scene"
    case .transposeUp: "a semitone higher"
    case .transposeDown: "a semitone lower"
    case .transposeReset: "no transposition"
    case .toggleTrack: "song on and off"
    case .startTrack: "song"
    case .stopTrack: "end of the song"
    case .tapTempo: "tempo"
    case .toggleClick: "metronome"
    }
  }

  /// The values at both ends; empty if they are those of the parameter.
  fileprivate var range: String {
    if from == nil, to == nil { return "" }
    return "\(from?.shortestText ?? "minimum") to \(to?.shortestText ?? "maximum")"
  }
}
