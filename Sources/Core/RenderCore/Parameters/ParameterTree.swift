/// The parameters of a unit, in groups.
///
/// A cycle refers to a parameter by its index in ``parameters``. The index may change in another version of the unit;
/// the identifier does not.
public struct ParameterTree: Codable, Equatable, Sendable {
  public let parameters: [Parameter]
  /// The groups and their names.
  public let groups: [Group]

  /// A group: the parameters whose identifiers are the group's `identifier`, a dot and one more word.
  public struct Group: Codable, Equatable, Sendable {
    public let identifier: String
    public let name: String

    public init(_ identifier: String, _ name: String) {
      self.identifier = identifier
      self.name = name
    }
  }

  /// The maximum number of parameters.
  public static let maximumCount = 1024

  /// - Precondition: There are at most ``maximumCount`` parameters, and no two have the same identifier.
  public init(_ parameters: [Parameter] = [], groups: [Group] = []) {
    precondition(parameters.count <= Self.maximumCount, "too many parameters")
    precondition(
      Set(parameters.map(\.identifier)).count == parameters.count, "duplicate identifier")
    self.parameters = parameters
    self.groups = groups
  }

  /// Returns the index of a parameter; `nil` if no parameter has this identifier.
  public func index(of identifier: String) -> Int? {
    parameters.firstIndex { $0.identifier == identifier }
  }

  /// Returns the parameters of a group.
  ///
  /// - Parameter group: The group's identifier; `nil` for the parameters without a group.
  public func parameters(in group: String?) -> [Parameter] {
    parameters.filter { $0.group == group }
  }

  /// Checks a value for a parameter.
  ///
  /// - Returns: The index of the parameter.
  /// - Throws: ``ParameterError`` if there is no such parameter or the value is out of range.
  public func check(_ identifier: String, _ value: Float) throws(ParameterError) -> Int {
    guard let index = index(of: identifier) else {
      throw .unknown(identifier: identifier, known: parameters.map(\.identifier))
    }
    try parameters[index].check(value)
    return index
  }

  /// Checks values for several parameters.
  ///
  /// - Parameter values: The values by identifier.
  /// - Returns: Each value with the index of its parameter.
  /// - Throws: ``ParameterError`` for the first value that is invalid.
  @discardableResult
  package func check(
    _ values: [String: Float]
  ) throws(ParameterError) -> [(index: Int, value: Float)] {
    var checked: [(index: Int, value: Float)] = []
    for (identifier, value) in values { checked.append((try check(identifier, value), value)) }
    return checked
  }
}

/// A factory preset of a unit: values for some of its parameters.
public struct Preset: Codable, Equatable, Sendable {
  public let name: String
  /// The values by identifier. All other parameters keep their values.
  public let values: [String: Float]

  public init(_ name: String, _ values: [String: Float]) {
    self.name = name
    self.values = values
  }
}
