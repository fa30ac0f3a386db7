import Components
public import HostConnection
public import RenderCore

// What a host asks of the unit beside rendering. Not realtime; the node answers within five seconds. All of it is
// about an initialized connection, and may be asked while another thread renders.
extension Connection {
  /// The parameters' values, in the order of ``parameters``: what they are at the end of the last cycle.
  public func parameterValues() throws(ConnectionError) -> [Float] {
    guard case .values(let values) = try ask(.values),
      values.count == parameters.parameters.count
    else { throw link.violated() }
    return values
  }

  /// Sets parameters from the next cycle on, all or none.
  ///
  /// - Parameter values: By identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter`, the identifier and the range.
  public func setParameters(_ values: [String: Float]) throws(ConnectionError) {
    do throws(ParameterError) {
      try parameters.check(values)
    } catch {
      throw .refused(Refusal(.badParameter, "\(port.name): \(error)"))
    }
    try demand(.set(values: values))
  }

  /// The sounds that the unit brings along.
  public func presets() throws(ConnectionError) -> [Preset] {
    try link.askAll { first throws(ConnectionError) in
      guard case .presets(let part, let count) = try ask(.presets(from: first)) else {
        throw link.violated()
      }
      return (part, count)
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
  ///   version, or broken, and with `badMessage` for one that no message holds. Nothing has changed then.
  public func restoreState(_ state: UnitState) throws(ConnectionError) {
    try demand(.restore(state: state))
  }

  func askParameters(_ count: Int) throws(ConnectionError) -> ParameterTree {
    if count == 0 { return ParameterTree() }
    // Before all of them are there, for a node that has no end of them.
    guard (1...ParameterTree.maximumCount).contains(count) else { throw link.violated() }
    var groups: [ParameterTree.Group] = []
    let parameters = try link.askAll { first throws(ConnectionError) in
      guard case .parameters(let part, _) = try ask(.parameters(from: first)) else {
        throw link.violated()
      }
      groups = part.groups
      return (part.parameters, count)
    }
    guard parameters.count == count, Set(parameters.map(\.identifier)).count == count else {
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
