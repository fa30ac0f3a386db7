import LocalSystem
import NodeHost
import NodeProtocol
import PluginBundles
import RenderCore
import Synchronization

// The unit's state. An exchange waits for another one, whose requests the node must answer within 5 s each.
extension PluginWorker {
  /// The string that the host saves; `nil` for nothing.
  package func savedText() -> String? {
    if let connection = current.withLock({ $0 }) { storeState(of: connection) }
    return shared.store.text
  }

  /// Restores a string that the host has saved. Without a connection, the next one receives it.
  ///
  /// - Parameter paths: Where the files of the state are now, by their identifiers, as far as the host knows that.
  package func restore(_ text: String, paths: [String: String] = [:]) {
    let problem: String? = stateExchange.withLock { _ in
      do throws(SavedState.Flaw) {
        try shared.store.restore(text, paths: paths)
      } catch {
        return "\(error); it is kept, but not used, and changes are not saved"
      }
      signals.restored.increase()
      guard let connection = current.withLock({ $0 }) else { return nil }
      do throws(ConnectionError) {
        return try applyState(to: connection)
      } catch {
        // The next unit receives the state, and is silent as long as that is impossible.
        connection.close()
        signals.wakeWorker()
        return nil
      }
    }
    // Not during the exchange, because the host's log may wait for another thread of the host.
    if let problem { report(problem) }
  }

  /// Gives the stored state, if any, to the unit of a new connection, which can be asked from then on.
  ///
  /// - Throws: ``ConnectionError`` also if a file of the state, such as a SoundFont, is missing.
  func establishState(of connection: Connection) throws(ConnectionError) {
    let problem = try stateExchange.withLock { _ throws(ConnectionError) in
      let values = zip(
        connection.parameters.parameters.map(\.identifier), try connection.parameterValues())
      setControls(Dictionary(values) { $1 })
      let problem = try applyState(to: connection)
      current.withLock { $0 = connection }
      return problem
    }
    if let problem { report(problem) }
  }

  /// Stores and reports settings of the unit that the host has not set by control ports or events. The values of control
  /// ports remain: a port counts again when the host changes it.
  func storeSettings(of connection: Connection) {
    storeState(of: connection)
    reportFiles(of: connection)
  }

  /// Stores and reports settings that another program has changed.
  func takeSettings(of connection: Connection) {
    storeSettings(of: connection)
    guard let values = try? connection.parameterValues() else { return }
    let unit = connection.parameters
    shared.door.settingsChanged(
      plugin.parameters.parameters.enumerated().map { index, parameter in
        unit.index(of: parameter.identifier).map { (values[$0], signals[control: index]) }
      })
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
  /// - Throws: ``ConnectionError`` if the unit may accept the state later.
  private func applyState(to connection: Connection) throws(ConnectionError) -> String? {
    guard let state = shared.store.state else { return try applyFiles(to: connection) }
    do throws(ConnectionError) {
      try connection.restoreState(state.unit)
    } catch {
      guard case .refused(let refusal) = error, refusal.code != .unusableFile else { throw error }
      shared.store.keep()
      return "the saved state is kept, but not used, and changes are not saved: \(error)"
    }
    setControls(state.controls)
    return nil
  }

  /// Gives the files that were chosen without a state to a unit.
  ///
  /// - Returns: The line to report if the unit has no such file.
  private func applyFiles(to connection: Connection) throws(ConnectionError) -> String? {
    for (identifier, file) in shared.store.files {
      do throws(ConnectionError) {
        try connection.setFile(identifier, to: file)
      } catch {
        guard case .refused(let refusal) = error, refusal.code != .unusableFile else { throw error }
        return refusal.message
      }
    }
    return nil
  }

  /// Sets the values of control ports that the unit has, by the parameters' identifiers.
  private func setControls(_ values: [String: Float]) {
    for (index, parameter) in plugin.parameters.parameters.enumerated() {
      if let value = values[parameter.identifier] { signals[control: index] = value }
    }
  }
}

// The files that the unit plays.
extension PluginWorker {
  /// Plays another file. Without a unit, the next one receives it.
  package func chooseFile(_ identifier: String, _ path: String) {
    let file = FileReference(path: path)
    guard let connection = current.withLock({ $0 }) else {
      shared.store.setFile(identifier, to: file)
      shared.door.report(.file(identifier), path)
      return
    }
    do throws(ConnectionError) {
      try connection.setFile(identifier, to: file)
      storeSettings(of: connection)
    } catch {
      report(error.description)
      shared.door.reportAll()
    }
  }

  /// Reports the files that the unit plays.
  func reportFiles(of connection: Connection) {
    if plugin.properties.allSatisfy({ $0.subject == .port }) { return }
    for (identifier, file) in ((try? connection.files()) ?? []).references {
      shared.door.report(.file(identifier), file.path)
    }
  }
}
