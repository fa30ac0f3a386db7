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
