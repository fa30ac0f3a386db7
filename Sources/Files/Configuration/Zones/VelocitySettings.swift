/// A velocity curve: `"linear"`, `"soft"`, `"hard"`, one velocity for all notes, or points `[[1, 20], [127, 120]]` of
/// velocities played and sounding.
public enum VelocitySettings: Decodable, Equatable, Sendable {
  case named(Name)
  /// In ascending order of the velocity played; all values in 1…127.
  case points([[UInt8]])

  public enum Name: String, CaseIterable, Sendable { case linear, soft, hard }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self) {
      guard let curve = Name(rawValue: name) else {
        throw DecodingError.invalid(
          "it must be linear, soft, hard, a velocity or a list of points, but is '\(name)'",
          at: decoder.codingPath)
      }
      self = .named(curve)
    } else if let velocity = try? container.decode(Double.self) {
      self = .points([[1, try Self.velocity(velocity, decoder)]])
    } else {
      let points = try container.decode([[Double]].self).map { point in
        guard point.count == 2 else {
          throw DecodingError.invalid(
            "a point must be [velocity played, velocity sounding], but is \(point)",
            at: decoder.codingPath)
        }
        return try point.map { try Self.velocity($0, decoder) }
      }
      let isAscending = zip(points, points.dropFirst()).allSatisfy { $0[0] < $1[0] }
      guard !points.isEmpty, isAscending else {
        throw DecodingError.invalid(
          "the points must be in ascending order of the velocity played", at: decoder.codingPath)
      }
      self = .points(points)
    }
  }

  private static func velocity(_ value: Double, _ decoder: any Decoder) throws -> UInt8 {
    guard let velocity = UInt8(exactly: value), 1...127 ~= velocity else {
      throw DecodingError.invalid(
        "a velocity must be a whole number from 1 to 127, but is \(value)", at: decoder.codingPath)
    }
    return velocity
  }
}
