import FoundationEssentials
import LocalSystem
package import RenderCore

/// The reason why a node or a host refuses a request.
public struct ProtocolError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    /// The sides have no version of the protocol in common.
    case versionMismatch
    case noSuchPort
    case portInUse
    case unsupportedFormat
    case unusableMemory
    /// The unit could not be created: for instance, a file is missing.
    case unitFailed
    /// The message is malformed, or a field is missing or has an invalid value.
    case badMessage
    /// The request is not allowed in the present state of the connection.
    case badSequence
    case unknownMethod
    /// The parameter does not exist, or the value is out of its range.
    case badParameter
    case noSuchPreset
    /// The state belongs to another component, has another version, or is malformed.
    case badState
    /// A file that the unit should play is missing or cannot be read, or the unit has no such file.
    case unusableFile
    /// No host has carried out the command.
    case commandFailed
    /// A control cannot be learned now: another program is learning one, or the port has been withdrawn.
    case notLearned
    case tooManyConnections
    /// The node's process or its machine has no threads, memory or descriptors left.
    case outOfResources
    /// The host belongs to another user.
    case wrongUser
    /// A code that this version does not know.
    case other

    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try String(from: decoder)) ?? .other
    }
  }

  public var code: Code
  /// A sentence with the limit, the value found and the remedy.
  public var message: String
  /// Further values, for programs.
  public var data: Details?

  public struct Details: Codable, Equatable, Sendable {
    /// The path of the field that is missing or invalid, as in `params.component.subtype`.
    public var field: String?
    /// The host that has the port.
    public var holder: Peer?
    /// The values that the field may have.
    public var allowed: AllowedRange?
  }

  /// The values from a minimum to a maximum. The peer's numbers are unchecked.
  public struct AllowedRange: Codable, Equatable, Sendable {
    public var minimum: Int
    public var maximum: Int

    public init(_ range: ClosedRange<Int>) {
      minimum = range.lowerBound
      maximum = range.upperBound
    }
  }

  public init(
    _ code: Code, _ message: String, field: String? = nil, holder: Peer? = nil,
    allowed: ClosedRange<Int>? = nil
  ) {
    self.code = code
    self.message = message
    if field != nil || holder != nil || allowed != nil {
      data = Details(field: field, holder: holder, allowed: allowed.map(AllowedRange.init))
    }
  }

  public var description: String { message }

  /// Creates the error for a format that a port does not support, with the field and its range.
  ///
  /// - Parameter name: The port's name.
  package init(_ error: FormatError, of name: String) {
    self.init(
      .unsupportedFormat, "\(name): \(error)", field: "params.\(error.field)",
      allowed: error.allowed)
  }

  package static func unknownMethod(_ method: String) -> ProtocolError {
    ProtocolError(.unknownMethod, "there is no method '\(method.prefix(64))'", field: "method")
  }

  /// The error with its message truncated to 4096 bytes, so that it fits into a packet. A message may quote text from
  /// the other side.
  package var shortened: ProtocolError {
    var error = self
    if let field = data?.field, field.utf8.count > 256 { error.data?.field = nil }
    let limit = 4096
    if message.utf8.count > limit {
      error.message = String(decoding: message.utf8.prefix(limit), as: UTF8.self) + "…"
    }
    return error
  }
}

extension ProtocolError {
  /// Creates the error for a packet that cannot be decoded.
  init(_ error: DecodingError, in packet: [UInt8]) {
    guard let document = try? JSON5Document(packet) else {
      self.init(.badMessage, "the message is not JSON in UTF-8, or has duplicate fields")
      return
    }
    let failure = JSON5File.Failure(error, in: document)
    self.init(.badMessage, failure.reason, field: failure.field)
  }
}

extension ProtocolError {
  /// Returns a refused format with the nearest number of channels that is allowed.
  ///
  /// - Returns: `nil` if the error does not name another number of channels.
  package func allowedChannels(nearest format: Format) -> Format? {
    guard let allowed = data?.allowed, allowed.minimum <= allowed.maximum else { return nil }
    var nearest = format
    switch data?.field {
    case "params.inputChannels":
      nearest.inputChannels = min(max(format.inputChannels, allowed.minimum), allowed.maximum)
    case "params.outputChannels":
      nearest.outputChannels = min(max(format.outputChannels, allowed.minimum), allowed.maximum)
    default: return nil
    }
    return nearest == format ? nil : nearest
  }
}
