import FoundationEssentials
import NodeDirectory
import NodeProtocol
import RenderCore

/// Answers what a host asks of its unit beside rendering: parameters, presets, state.
///
/// Realtime: no; the unit may render meanwhile.
struct UnitRequestHandler {
  let unit: any RenderUnit
  let port: PortDescription

  /// The most bytes of JSON that a part of a list may have, so that a packet holds it.
  private static let partLimit = PacketSocket.limit * 3 / 4

  /// An empty one where the unit has no parameters.
  private var board: ParameterStore { unit.parameters ?? ParameterStore(ParameterTree()) }

  var tree: ParameterTree { board.tree }

  /// - Parameter first: How many to leave out.
  func parameters(from first: Int) -> NodeMessage {
    let (all, groups) = (tree.parameters, tree.groups)
    let size = groups.reduce(0) { $0 + Self.size($1) }
    let part = Self.part(of: all, from: first, limit: Self.partLimit - size)
    return .parameters(ParameterTree(part, groups: groups), count: all.count)
  }

  var values: NodeMessage {
    let board = board
    return .values(board.tree.parameters.indices.map(board.value))
  }

  /// Answers what only asks, and changes nothing; `nil` for all else.
  func look(_ message: HostMessage) -> NodeMessage? {
    switch message {
    case .parameters(let first): parameters(from: first)
    case .values: values
    case .presets(let first): presets(from: first)
    default: nil
    }
  }

  func set(_ values: [String: Float]) throws(ProtocolError) {
    do throws(ParameterError) {
      try board.set(values)
    } catch {
      throw ProtocolError(.badParameter, "\(port.name): \(error)")
    }
  }

  func presets(from first: Int) -> NodeMessage {
    let all = unit.presets
    return .presets(Self.part(of: all, from: first, limit: Self.partLimit), count: all.count)
  }

  func usePreset(_ number: Int) throws(ProtocolError) {
    let presets = unit.presets
    guard presets.indices.contains(number) else {
      let known =
        presets.isEmpty
        ? "it has none"
        : "it has 0 to \(presets.count - 1), from '\(presets[0].name)' to "
          + "'\(presets[presets.count - 1].name)'"
      throw ProtocolError(.noSuchPreset, "\(port.name) has no preset \(number): \(known)")
    }
    try set(presets[number].values)
  }

  func save() throws(ProtocolError) -> NodeMessage {
    let data = Data(unit.save()).base64EncodedString()
    if data.utf8.count > UnitState.longestData {
      throw ProtocolError(
        .badState,
        "the state of \(port.name) has \(data.utf8.count) bytes, of which a message holds "
          + "\(UnitState.longestData): its unit must keep less")
    }
    let state = UnitState(
      component: port.component, parameters: board.all, data: data)
    // What is around it in a message is less than 100 bytes.
    let (size, limit) = (Self.size(state), PacketSocket.limit - 100)
    if size > limit {
      throw ProtocolError(
        .badState,
        "the state of \(port.name) has \(size) bytes, of which a message holds \(limit): its unit "
          + "must have fewer parameters, or shorter identifiers")
    }
    return .state(state)
  }

  /// Parameters that the state does not have get their defaults: those that a later version has more.
  func restore(_ state: UnitState) throws(ProtocolError) {
    if state.version != UnitState.currentVersion {
      throw refusal(
        "has version \(state.version), but this node reads \(UnitState.currentVersion): use the "
          + "Portative that saved it")
    }
    if state.component != port.component {
      throw refusal("is that of '\(state.component)', not of '\(port.component)'")
    }
    guard let data = Data(base64Encoded: state.data) else {
      throw refusal("is broken: its data is no Base64")
    }
    var values = Dictionary(
      uniqueKeysWithValues: tree.parameters.map { ($0.identifier, $0.defaultValue) })
    values.merge(state.parameters) { $1 }
    do {
      // Everything is checked before anything is changed.
      try tree.check(values)
      try unit.restore([UInt8](data))
      try board.set(values)
    } catch {
      throw refusal("cannot be restored: \(error)")
    }
  }

  private func refusal(_ reason: String) -> ProtocolError {
    ProtocolError(.badState, "the state for \(port.name) \(reason)")
  }

  /// As many as fit, and one at least.
  private static func part<Item: Encodable>(
    of all: [Item], from first: Int, limit: Int
  ) -> [Item] {
    var left = limit
    var part: [Item] = []
    for item in all.dropFirst(max(0, first)) {
      left -= size(item)
      if left < 0, !part.isEmpty { break }
      part.append(item)
    }
    return part
  }

  private static func size(_ item: some Encodable) -> Int {
    // And the comma after it.
    ((try? JSONEncoder().encode(item).count) ?? 0) + 1
  }
}
