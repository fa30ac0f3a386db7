/// A sound that a unit brings along: some of its parameters, set.
public struct Preset: Codable, Equatable, Sendable {
  public let name: String
  /// By identifier; parameters that are not in here stay as they are.
  public let values: [String: Float]

  public init(_ name: String, _ values: [String: Float]) {
    self.name = name
    self.values = values
  }
}
