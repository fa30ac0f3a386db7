public import RenderCore

/// The full state of a unit, which a host can save, for instance in its project file.
///
/// The host can store the JSON form anywhere and need not interpret it.
public struct UnitState: Codable, Equatable, Sendable {
  /// The version of this format: 1.
  public var version: Int
  /// The component that the state belongs to.
  public var component: ComponentDescription
  /// The values of all parameters, by identifier. A missing parameter has its default value.
  public var parameters: [String: Float]
  /// The unit's state besides the parameters, in Base64.
  public var data: String
  /// The files that the unit plays, such as a SoundFont, by identifier; `nil` if it has none.
  public var files: [String: FileReference]?

  public static let currentVersion = 1

  /// The maximum length of ``data`` in bytes in a message that has the whole state.
  package static let longestData = 32_768

  /// The maximum length of a state's JSON in bytes.
  package static let longest = 1 << 26

  public init(
    component: ComponentDescription, parameters: [String: Float], data: String = "",
    files: [String: FileReference]? = nil
  ) {
    version = Self.currentVersion
    self.component = component
    self.parameters = parameters
    self.data = data
    self.files = files
  }
}
