/// Why a node does not do what it was asked for.
public struct ProtocolError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    case versionMismatch
    case noSuchPort
    case portInUse
    case unsupportedFormat
    case unusableMemory
    /// The unit could not be made: a file is missing, for instance.
    case unitFailed
    /// The message is not understood, or out of turn.
    case badMessage
    /// There is no such parameter, or it cannot have this value.
    case badParameter
    case noSuchPreset
    /// The state is another component's, of another version, or broken.
    case badState
    /// No host has done what it was commanded.
    case notCommanded
    case tooManyConnections
    /// The node's process, or its machine, has no thread, memory or descriptor left.
    case outOfResources
    case stranger
  }

  public var code: Code
  /// A sentence: the limit, the value found, the remedy.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// As much of it as a packet surely holds, for one may repeat what a stranger wrote.
  package var shortened: ProtocolError {
    let limit = 4096
    if message.utf8.count <= limit { return self }
    return ProtocolError(code, String(decoding: message.utf8.prefix(limit), as: UTF8.self) + "…")
  }
}
