import NodeProtocol
import RenderCore

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
    let parameters = try askAll { first throws(ConnectionError) in
      let answer = try ask(.parameters(from: first), seconds: Self.answerLimit)
      guard case .parameters(let part, _) = answer else { throw protocolViolation() }
      groups = part.groups
      return (part.parameters, count)
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
    guard case .values(let values) = try ask(.values, seconds: Self.answerLimit),
      values.count == count
    else { throw protocolViolation() }
    return values
  }

  func presets() throws(ConnectionError) -> [Preset] {
    try askAll { first throws(ConnectionError) in
      let answer = try ask(.presets(from: first), seconds: Self.answerLimit)
      guard case .presets(let part, let count) = answer else { throw protocolViolation() }
      return (part, count)
    }
  }
}
