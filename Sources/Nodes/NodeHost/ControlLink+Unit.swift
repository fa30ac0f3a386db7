import NodeProtocol
import RenderCore
import Synchronization

// Requests for the properties of a unit, for opened and for described ports.
extension ControlLink {
  /// Returns the unit's parameters.
  ///
  /// - Parameter count: The number of parameters that the node has reported.
  func parameters(_ count: Int) throws(ConnectionError) -> ParameterTree {
    if count == 0 { return ParameterTree() }
    // Checked before the requests, because a node could report any number.
    guard (1...ParameterTree.maximumCount).contains(count) else { throw protocolViolation() }
    var groups: [ParameterTree.Group] = []
    let parameters = try requestAll { offset throws(ConnectionError) in
      let part = try send(GetParameters(offset: offset))
      groups = part.groups
      return (part.items, count)
    }
    guard parameters.count == count, Set(parameters.map(\.identifier)).count == count else {
      throw protocolViolation()
    }
    return ParameterTree(parameters, groups: groups)
  }

  /// Returns the values of the unit's parameters.
  ///
  /// - Parameter count: The number of parameters.
  func values(_ count: Int) throws(ConnectionError) -> [Float] {
    let values = try send(GetValues()).values
    if values.count != count { throw protocolViolation() }
    return values
  }

  func presets() throws(ConnectionError) -> [Preset] {
    try requestAll { offset throws(ConnectionError) in
      let part = try send(GetPresets(offset: offset))
      return (part.items, part.total)
    }
  }

  /// Returns the files of the unit; none for a node of an earlier version. The node may read them.
  func files() throws(ConnectionError) -> [UnitFile] {
    let hasFiles = features.withLock { $0.contains(Feature.files) }
    return hasFiles ? try send(GetFiles(), seconds: Self.preparationLimit).files : []
  }
}
