import NodeProtocol
import RenderCore

// What a node says of a unit, whether its port is taken or looked at.
extension Link {
  /// - Parameter count: How many there are, as the node said.
  func parameters(_ count: Int) throws(ConnectionError) -> ParameterTree {
    if count == 0 { return ParameterTree() }
    // Before all of them are there, for a node that has no end of them.
    guard (1...ParameterTree.maximumCount).contains(count) else { throw violated() }
    var groups: [ParameterTree.Group] = []
    let parameters = try askAll { first throws(ConnectionError) in
      let answer = try ask(.parameters(from: first), seconds: Self.answerLimit)
      guard case .parameters(let part, _) = answer else { throw violated() }
      groups = part.groups
      return (part.parameters, count)
    }
    guard parameters.count == count, Set(parameters.map(\.identifier)).count == count else {
      throw violated()
    }
    return ParameterTree(parameters, groups: groups)
  }

  /// - Parameter count: Of the parameters.
  func values(_ count: Int) throws(ConnectionError) -> [Float] {
    guard case .values(let values) = try ask(.values, seconds: Self.answerLimit),
      values.count == count
    else { throw violated() }
    return values
  }

  func presets() throws(ConnectionError) -> [Preset] {
    try askAll { first throws(ConnectionError) in
      let answer = try ask(.presets(from: first), seconds: Self.answerLimit)
      guard case .presets(let part, let count) = answer else { throw violated() }
      return (part, count)
    }
  }
}
