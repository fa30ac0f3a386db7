import FoundationEssentials
import NodeProtocol

/// Sends and receives the state of a unit in parts that fit into packets.
///
/// Threads: the thread of the host's session.
struct StateTransfer {
  /// The JSON of the state whose end has not been requested yet.
  private var saved: [UInt8]?
  private var received = PartReceiver("state", limit: UnitState.longest)

  /// Returns a part of the unit's state, which is saved if the part is the first.
  ///
  /// - Throws: ``ProtocolError``: `badState` for a state that is too long; `badSequence` without a request for the
  ///   beginning.
  mutating func part(
    _ request: SaveStatePart, of unit: UnitRequestHandler
  ) throws(ProtocolError) -> SaveStatePart.Response {
    if request.offset == 0 { saved = try Self.json(unit.state) }
    guard let saved else {
      throw ProtocolError(.badSequence, "request a state from offset 0 first")
    }
    if saved.count > UnitState.longest {
      self.saved = nil
      throw ProtocolError(
        .badState,
        "the state of \(unit.port.name) has \(saved.count) bytes, but a state has at most "
          + "\(UnitState.longest): its unit must save less")
    }
    let (data, end) = saved.base64Part(from: request.offset)
    if end == saved.count { self.saved = nil }
    return SaveStatePart.Response(data: data, total: saved.count)
  }

  private static func json(_ state: UnitState) throws(ProtocolError) -> [UInt8] {
    do {
      return try [UInt8](JSONEncoder().encode(state))
    } catch {
      throw ProtocolError(.badState, "the state cannot be written: \(error)")
    }
  }

  /// Receives a part of a state. Restores the state with the last part.
  ///
  /// - Throws: ``ProtocolError``: that of ``PartReceiver/add(_:at:of:)`` or of ``UnitRequestHandler/restoreState(_:)``.
  mutating func restore(
    _ request: LoadStatePart, to unit: UnitRequestHandler
  ) throws(ProtocolError) -> Done {
    guard let json = try received.add(request.data, at: request.offset, of: request.total) else {
      return Done()
    }
    guard let state = try? JSONDecoder().decode(UnitState.self, from: Data(json)) else {
      throw ProtocolError(.badState, "the state for \(unit.port.name) is malformed")
    }
    return try unit.restoreState(RestoreState(state: state))
  }
}
