import NodeDirectory
public import NodeProtocol
public import RenderCore

// Requests to the unit. Realtime: no. The node must answer within 5 s, or 60 s where it may read a SoundFont. The
// connection must be initialized; another thread may render at the same time.
extension Connection {
  /// Returns the parameters' values at the end of the last cycle, in the order of ``parameters``.
  public func parameterValues() throws(ConnectionError) -> [Float] {
    try link.values(parameters.parameters.count)
  }

  /// Sets parameters from the next cycle on: all or, on an error, none.
  ///
  /// - Parameter values: The values by identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter` and a message with the identifier and the range.
  public func setParameters(_ values: [String: Float]) throws(ConnectionError) {
    do throws(ParameterError) {
      try parameters.check(values)
    } catch {
      throw .refused(ProtocolError(.badParameter, "\(port.name): \(error)"))
    }
    _ = try link.send(SetParameters(values: values))
  }

  /// Returns the unit's built-in presets.
  public func presets() throws(ConnectionError) -> [Preset] {
    try link.presets()
  }

  /// Sets the parameters of a preset from the next cycle on.
  ///
  /// - Parameter index: The index in ``presets()``.
  /// - Throws: ``ConnectionError``: `refused` with `noSuchPreset` and a message with the existing presets.
  public func usePreset(_ index: Int) throws(ConnectionError) {
    _ = try link.send(UsePreset(index: index))
  }

  /// Returns the files that the unit plays and that ``setFile(_:to:)`` replaces, such as its SoundFont. The node may read
  /// them to calculate their hashes. A node of an earlier version has none.
  public func files() throws(ConnectionError) -> [UnitFile] {
    try link.files()
  }

  /// Replaces a file that the unit plays from the next cycle on. What sounds fades; parameters and channels remain.
  ///
  /// - Parameters:
  ///   - identifier: A file of ``files()``.
  ///   - file: The file's absolute path. If it has a hash, the node may find the file elsewhere.
  /// - Throws: ``ConnectionError``: `refused` with `unusableFile`. Nothing has changed then.
  public func setFile(_ identifier: String, to file: FileReference) throws(ConnectionError) {
    _ = try link.send(
      SetFile(identifier: identifier, file: file), seconds: ControlLink.preparationLimit)
  }

  /// Returns the unit's full state, which the host can save.
  public func saveState() throws(ConnectionError) -> UnitState {
    try link.send(SaveState(), seconds: ControlLink.preparationLimit).state
  }

  /// Restores a saved state of the unit from the next cycle on.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `badState` for a state that belongs to another component, has
  ///   another version or is malformed, with `unusableFile` if the unit's SoundFont is missing, and with `badMessage`
  ///   for a state that is too long for a message. Nothing has changed then.
  public func restoreState(_ state: UnitState) throws(ConnectionError) {
    _ = try link.send(RestoreState(state: state), seconds: ControlLink.preparationLimit)
  }
}
