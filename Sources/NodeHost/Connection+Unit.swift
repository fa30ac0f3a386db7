import Components
public import HostConnection
public import RenderCore

// What a host asks of the unit beside rendering. Not realtime; the node answers within five seconds. All of it is
// about an initialized connection, and may be asked while another thread renders.
extension Connection {
  /// The parameters' values, in the order of ``parameters``: what they are at the end of the last cycle.
  public func parameterValues() throws(ConnectionError) -> [Float] {
    guard case .values(let values) = try ask(.values) else { throw link.violated() }
    return values
  }

  /// Sets parameters from the next cycle on, all or none.
  ///
  /// - Parameter values: By identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter`, the identifier and the range.
  public func setParameters(_ values: [String: Float]) throws(ConnectionError) {
    for (identifier, value) in values {
      do throws(ParameterError) {
        _ = try parameters.check(identifier, value)
      } catch {
        throw .refused(Refusal(.badParameter, "\(port.name): \(error)"))
      }
    }
    try demand(.set(values: values))
  }

  /// The sounds that the unit brings along.
  public func presets() throws(ConnectionError) -> [Preset] {
    var all: [Preset] = []
    while true {
      guard case .presets(let part, let count) = try ask(.presets(from: all.count)) else {
        throw link.violated()
      }
      all += part
      if part.isEmpty || all.count >= count { return all }
    }
  }

  /// Sets the parameters that a preset sets, from the next cycle on.
  ///
  /// - Parameter number: Its place in ``presets()``.
  /// - Throws: ``ConnectionError``: `refused` with `noSuchPreset`, and what there is.
  public func usePreset(_ number: Int) throws(ConnectionError) {
    try demand(.usePreset(number: number))
  }

  /// The unit's full state, for the host to keep.
  public func saveState() throws(ConnectionError) -> UnitState {
    guard case .state(let state) = try ask(.save) else { throw link.violated() }
    return state
  }

  /// Makes the unit's state what it was, from the next cycle on.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `badState` for one that is another component's, of another
  ///   version, or broken. Nothing has changed then.
  public func restoreState(_ state: UnitState) throws(ConnectionError) {
    try demand(.restore(state: state))
  }

  func askParameters(_ count: Int) throws(ConnectionError) -> ParameterTree {
    var parameters: [Parameter] = []
    var groups: [ParameterTree.Group] = []
    while parameters.count < count {
      guard case .parameters(let part, _) = try ask(.parameters(from: parameters.count)),
        !part.parameters.isEmpty,
        parameters.count + part.parameters.count <= ParameterTree.maximumCount
      else { throw link.violated() }
      parameters += part.parameters
      groups = part.groups
    }
    guard Set(parameters.map(\.identifier)).count == parameters.count else {
      throw link.violated()
    }
    return ParameterTree(parameters, groups: groups)
  }

  private func ask(_ message: HostMessage) throws(ConnectionError) -> NodeMessage {
    try link.ask(message, seconds: Link.answerLimit)
  }

  private func demand(_ message: HostMessage) throws(ConnectionError) {
    guard case .done = try ask(message) else { throw link.violated() }
  }
}
