/// The reason why a node refuses a request.
public struct ProtocolError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    case versionMismatch
    case noSuchPort
    case portInUse
    case unsupportedFormat
    case unusableMemory
    /// The unit could not be created: for instance, a file is missing.
    case unitFailed
    /// The message is malformed, unknown or out of order.
    case badMessage
    /// The parameter does not exist, or the value is out of its range.
    case badParameter
    case noSuchPreset
    /// The state belongs to another component, has another version, or is malformed.
    case badState
    /// No host has carried out the command.
    case notCommanded
    case tooManyConnections
    /// The node's process or its machine has no threads, memory or descriptors left.
    case outOfResources
    /// The host belongs to another user.
    case stranger
  }

  public var code: Code
  /// A sentence with the limit, the value found and the remedy.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// The error with its message truncated to 4096 bytes, so that it fits into a packet. A message may quote text from
  /// the host.
  package var shortened: ProtocolError {
    let limit = 4096
    if message.utf8.count <= limit { return self }
    return ProtocolError(code, String(decoding: message.utf8.prefix(limit), as: UTF8.self) + "…")
  }
}
