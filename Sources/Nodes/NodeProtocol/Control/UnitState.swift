public import NodeDirectory

/// The full state of a unit, for its host to keep: in its project file, for instance.
///
/// As JSON it can be kept anywhere; a host need not know what is in it.
public struct UnitState: Codable, Equatable, Sendable {
  /// Of this form: 1.
  public var version: Int
  /// Whose it is.
  public var component: ComponentDescription
  /// All parameters, by identifier. One that is missing has its default.
  public var parameters: [String: Float]
  /// What the unit keeps besides them, in Base64.
  public var data: String

  public static let currentVersion = 1

  /// The most bytes of ``data`` that a message between node and host can hold.
  package static let longestData = 32_768

  public init(
    component: ComponentDescription, parameters: [String: Float], data: String = ""
  ) {
    version = Self.currentVersion
    self.component = component
    self.parameters = parameters
    self.data = data
  }
}
