import FoundationEssentials
import NodeProtocol
import RenderCore

/// Answers a host's requests to a unit for parameters, presets and state.
///
/// Realtime: no. The unit may render at the same time.
struct UnitRequestHandler {
  let unit: any RenderUnit
  let port: PortDescription

  /// The unit's parameters; an empty store if the unit has none.
  private var store: ParameterStore { unit.parameters ?? ParameterStore(ParameterTree()) }

  var tree: ParameterTree { store.tree }

  /// Returns as many parameters as fit into a packet.
  func parameters(_ request: GetParameters) -> GetParameters.Response {
    let (all, groups) = (tree.parameters, tree.groups)
    let part = all.packetPart(from: request.offset, besides: groups.packetSize)
    return GetParameters.Response(items: part, total: all.count, groups: groups)
  }

  func values(_: GetValues) -> GetValues.Response {
    let store = store
    return GetValues.Response(values: store.tree.parameters.indices.map(store.value))
  }

  func setParameters(_ request: SetParameters) throws(ProtocolError) -> Done {
    try set(request.values)
  }

  private func set(_ values: [String: Float]) throws(ProtocolError) -> Done {
    do throws(ParameterError) {
      try store.set(values)
      return Done()
    } catch {
      throw ProtocolError(.badParameter, "\(port.name): \(error)")
    }
  }

  func presets(_ request: GetPresets) -> GetPresets.Response {
    let all = unit.presets
    return ItemList(items: all.packetPart(from: request.offset), total: all.count)
  }

  func usePreset(_ request: UsePreset) throws(ProtocolError) -> Done {
    let (presets, index) = (unit.presets, request.index)
    guard presets.indices.contains(index) else {
      let known =
        presets.isEmpty
        ? "it has none"
        : "it has 0 to \(presets.count - 1), from '\(presets[0].name)' to "
          + "'\(presets[presets.count - 1].name)'"
      throw ProtocolError(.noSuchPreset, "\(port.name) has no preset \(index): \(known)")
    }
    return try set(presets[index].values)
  }

  func files(_: GetFiles) -> GetFiles.Response { GetFiles.Response(files: unit.files) }

  func setFile(_ request: SetFile) throws(ProtocolError) -> Done {
    let files = unit.files
    guard files.contains(where: { $0.identifier == request.identifier }) else {
      let known = files.map { "'\($0.identifier)'" }.joined(separator: ", ")
      throw ProtocolError(
        .unusableFile,
        "\(port.name) has no file '\(request.identifier)': it has \(known.isEmpty ? "none" : known)",
        field: "params.identifier")
    }
    do {
      try unit.restore(unit.save(), files: [request.identifier: request.file])
      return Done()
    } catch {
      throw ProtocolError(.unusableFile, "\(error)")
    }
  }

  func saveState(_: SaveState) throws(ProtocolError) -> SaveState.Response {
    let state = state
    // The rest of the message has less than 100 bytes.
    let (size, limit) = ([state].packetSize, PacketSocket.limit - 100)
    if state.data.utf8.count > UnitState.longestData || size > limit {
      throw ProtocolError(
        .badState,
        "the state of \(port.name) has \(size) bytes, of which \(state.data.utf8.count) are its data, but a message "
          + "holds \(limit) and \(UnitState.longestData): request it in parts (saveStatePart)")
    }
    return SaveState.Response(state: state)
  }

  /// The unit's state now.
  var state: UnitState {
    let files = unit.files.references
    return UnitState(
      component: port.component, parameters: store.all,
      data: Data(unit.save()).base64EncodedString(), files: files.isEmpty ? nil : files)
  }

  /// Restores a state. Parameters that the state does not contain, because a later version has added them, get their
  /// default values.
  func restoreState(_ request: RestoreState) throws(ProtocolError) -> Done {
    let state = request.state
    if state.version != UnitState.currentVersion {
      throw badState(
        "has version \(state.version), but this node reads \(UnitState.currentVersion): use the "
          + "Portative that saved it")
    }
    if state.component != port.component {
      throw badState("belongs to '\(state.component)', not to '\(port.component)'")
    }
    guard let data = Data(base64Encoded: state.data) else {
      throw badState("is malformed: its data is not Base64")
    }
    var values = Dictionary(
      uniqueKeysWithValues: tree.parameters.map { ($0.identifier, $0.defaultValue) })
    values.merge(state.parameters) { $1 }
    do {
      // Everything is checked before anything is changed.
      try tree.check(values)
      try unit.restore([UInt8](data), files: state.files ?? [:])
      try store.set(values)
      return Done()
    } catch let error as UnitFileError {
      throw ProtocolError(.unusableFile, error.description)
    } catch {
      throw badState("cannot be restored: \(error)")
    }
  }

  private func badState(_ reason: String) -> ProtocolError {
    ProtocolError(.badState, "the state for \(port.name) \(reason)")
  }
}
