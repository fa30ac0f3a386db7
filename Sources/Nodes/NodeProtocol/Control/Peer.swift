/// A process at one end of a connection.
public struct Peer: Codable, Equatable, Sendable, CustomStringConvertible {
  /// What people call it.
  public var name: String
  public var processID: Int32
  /// Path of an image.
  public var icon: String?
  /// Where more about it is to be found.
  public var url: String?

  public init(name: String, processID: Int32, icon: String? = nil, url: String? = nil) {
    self.name = name
    self.processID = processID
    self.icon = icon
    self.url = url
  }

  public var description: String { "\(name) (process \(processID))" }
}
