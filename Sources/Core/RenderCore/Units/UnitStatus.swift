/// A number that a unit reports about itself.
public struct UnitStatus: Codable, Equatable, Sendable {
  /// A short name in the plural: "voices", "late notes".
  public let name: String
  public let value: Int

  public init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
  }
}
