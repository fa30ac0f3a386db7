/// The settings of the configuration file for what is kept of what keyboards play.
public struct TakeSettings: Decodable, Equatable, Sendable {
  /// The minutes for which it is kept: 0 to ``maximumMinutes``; 0 to keep nothing. `nil`: ``standardMinutes``.
  public var minutes: Double?

  public static let standardMinutes = 30.0
  public static let maximumMinutes = 1440.0

  enum CodingKeys: String, CodingKey, CaseIterable { case minutes }

  public init() {}

  /// Fills in unset fields from a file of lower precedence.
  mutating func fill(from weaker: TakeSettings?) { minutes = minutes ?? weaker?.minutes }
}
