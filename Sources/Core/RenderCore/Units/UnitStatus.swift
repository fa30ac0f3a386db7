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

extension UnitStatus {
  /// The figures that count what a unit has played. Others describe its present state.
  private static let counts: Set = ["notes", "late notes", "stolen notes", "beats clicked"]

  /// Returns the figure of a unit that continues for another one.
  fileprivate func continuing(_ earlier: Int) -> Self {
    if Self.counts.contains(name) { return UnitStatus(name, value + earlier) }
    return name.hasPrefix("most ") ? UnitStatus(name, max(value, earlier)) : self
  }
}

extension [UnitStatus] {
  /// Returns the sums of the figures of the same name: those of units that play together.
  package func adding(_ others: Self) -> Self {
    map { status in
      let other = others.first { $0.name == status.name }?.value ?? 0
      return UnitStatus(status.name, status.value + other)
    } + others.filter { other in !contains { $0.name == other.name } }
  }

  /// Returns the figures of a unit that continues for an earlier one: counts go on, and maxima are those of both.
  ///
  /// - Parameter earlier: The figures of the earlier unit at its end.
  package func continuing(_ earlier: Self) -> Self {
    map { status in
      earlier.first { $0.name == status.name }.map { status.continuing($0.value) } ?? status
    }
  }
}
