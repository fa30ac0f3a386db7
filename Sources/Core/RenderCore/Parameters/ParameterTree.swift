/// The parameters of a unit, in groups.
///
/// A parameter's index in ``parameters`` is its number in every cycle; it may be another in another version of
/// the unit, where its identifier stays.
public struct ParameterTree: Codable, Equatable, Sendable {
  public let parameters: [Parameter]
  /// What the groups are called.
  public let groups: [Group]

  /// The parameters whose identifiers begin with `identifier` and a dot.
  public struct Group: Codable, Equatable, Sendable {
    public let identifier: String
    public let name: String

    public init(_ identifier: String, _ name: String) {
      self.identifier = identifier
      self.name = name
    }
  }

  /// The most parameters that there may be.
  public static let maximumCount = 1024

  /// - Precondition: No two parameters have the same identifier.
  public init(_ parameters: [Parameter] = [], groups: [Group] = []) {
    precondition(parameters.count <= Self.maximumCount, "too many parameters")
    precondition(Set(parameters.map(\.identifier)).count == parameters.count, "two of one name")
    self.parameters = parameters
    self.groups = groups
  }

  /// A parameter's index; `nil` if there is none of that identifier.
  public func index(of identifier: String) -> Int? {
    parameters.firstIndex { $0.identifier == identifier }
  }

  /// - Parameter identifier: `nil` for those that are in no group.
  public func parameters(in group: String?) -> [Parameter] {
    parameters.filter { parameter in
      let dot = parameter.identifier.lastIndex(of: ".")
      return dot.map { String(parameter.identifier[..<$0]) } == group
    }
  }

  /// - Returns: The index of the parameter.
  /// - Throws: ``ParameterError`` where there is no such parameter, or it cannot have this value.
  public func check(_ identifier: String, _ value: Float) throws(ParameterError) -> Int {
    guard let index = index(of: identifier) else {
      throw .unknown(identifier: identifier, known: parameters.map(\.identifier))
    }
    try parameters[index].check(value)
    return index
  }

  /// - Parameter values: By identifier.
  /// - Returns: Each with the index of its parameter.
  /// - Throws: ``ParameterError`` for the first that cannot be set.
  @discardableResult
  package func check(
    _ values: [String: Float]
  ) throws(ParameterError) -> [(index: Int, value: Float)] {
    var checked: [(index: Int, value: Float)] = []
    for (identifier, value) in values { checked.append((try check(identifier, value), value)) }
    return checked
  }
}
