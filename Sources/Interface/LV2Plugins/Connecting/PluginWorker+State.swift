import NodeDirectory
import NodeHost
import PluginBundle
import RenderCore
import Synchronization
import Threads

// The unit's state. An exchange waits for another one, whose requests the node must answer within 5 s each.
extension PluginWorker {
  /// The string that the host saves; `nil` for nothing.
  func savedText() -> String? {
    if let connection = current.withLock({ $0 }) { storeState(of: connection) }
    return shared.store.text
  }

  /// Restores a string that the host has saved. Without a connection, the next one receives it.
  func restore(_ text: String) {
    let problem: String? = stateExchange.withLock { _ in
      do throws(SavedState.Flaw) {
        try shared.store.restore(text)
      } catch {
        return "\(error); it is kept, but not used, and changes are not saved"
      }
      signals.restored.increase()
      return current.withLock { $0 }.flatMap { applyState(to: $0) }
    }
    // Not during the exchange, because the host's log may wait for another thread of the host.
    if let problem { report(problem) }
  }

  /// Gives the stored state, if any, to the unit of a new connection, which can be asked from then on.
  func establishState(of connection: Connection) throws(ConnectionError) {
    let problem = try stateExchange.withLock { _ throws(ConnectionError) in
      let values = zip(
        connection.parameters.parameters.map(\.identifier), try connection.parameterValues())
      setControls(Dictionary(values) { $1 })
      defer { current.withLock { $0 = connection } }
      return applyState(to: connection)
    }
    if let problem { report(problem) }
  }

  /// Stores the unit's state.
  func storeState(of connection: Connection) {
    stateExchange.withLock { _ in
      signals.hasChanged.store(0)
      var controls: [String: Float] = [:]
      for (index, parameter) in plugin.parameters.parameters.enumerated() {
        controls[parameter.identifier] = signals[control: index]
      }
      guard let unit = try? connection.saveState() else { return }
      shared.store.set(SavedState(port: connection.port.name, unit: unit, controls: controls))
    }
  }

  /// Gives the stored state, if any, to a unit.
  ///
  /// - Returns: The line to report if the unit refuses the state, which is then kept for the host.
  private func applyState(to connection: Connection) -> String? {
    guard let state = shared.store.state else { return nil }
    do throws(ConnectionError) {
      try connection.restoreState(state.unit)
    } catch {
      guard case .refused = error else { return nil }
      shared.store.keep()
      return "the saved state is kept, but not used, and changes are not saved: \(error)"
    }
    setControls(state.controls)
    return nil
  }

  /// Sets the values of control ports that the unit has, by the parameters' identifiers.
  private func setControls(_ values: [String: Float]) {
    for (index, parameter) in plugin.parameters.parameters.enumerated() {
      if let value = values[parameter.identifier] { signals[control: index] = value }
    }
  }
}
