/// A process at one end of a connection.
public struct Peer: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The name shown to users.
  public var name: String
  public var processID: Int32
  /// The path of an image.
  public var icon: String?
  /// The address of further information.
  public var url: String?

  public init(name: String, processID: Int32, icon: String? = nil, url: String? = nil) {
    self.name = name
    self.processID = processID
    self.icon = icon
    self.url = url
  }

  public var description: String { "\(name) (process \(processID))" }
}
