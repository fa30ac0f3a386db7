import NodeDirectory
public import NodeProtocol
public import RenderCore

// What a host asks of the unit beside rendering. Not realtime; the node answers within five seconds. All of it is
// about an initialized connection, and may be asked while another thread renders.
extension Connection {
  /// The parameters' values, in the order of ``parameters``: what they are at the end of the last cycle.
  public func parameterValues() throws(ConnectionError) -> [Float] {
    try link.values(parameters.parameters.count)
  }

  /// Sets parameters from the next cycle on, all or none.
  ///
  /// - Parameter values: By identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter`, the identifier and the range.
  public func setParameters(_ values: [String: Float]) throws(ConnectionError) {
    do throws(ParameterError) {
      try parameters.check(values)
    } catch {
      throw .refused(ProtocolError(.badParameter, "\(port.name): \(error)"))
    }
    try demand(.set(values: values))
  }

  /// The sounds that the unit brings along.
  public func presets() throws(ConnectionError) -> [Preset] {
    try link.presets()
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

  private func ask(_ message: HostMessage) throws(ConnectionError) -> NodeMessage {
    try link.ask(message, seconds: Link.answerLimit)
  }

  private func demand(_ message: HostMessage) throws(ConnectionError) {
    guard case .done = try ask(message) else { throw link.violated() }
  }
}
