import FoundationEssentials
import LocalSystem

/// A decoded packet. Its parameters or its result are decoded later, when the receiver knows their type.
package struct ReceivedMessage: Sendable {
  package enum Kind: Equatable, Sendable {
    case request(id: UInt32, method: String)
    case notification(method: String)
    case response(id: UInt32)
    /// `id` is `nil` if the error concerns no request.
    case error(id: UInt32?, ProtocolError)
  }

  package let kind: Kind
  private let bytes: [UInt8]

  /// A packet that is not a message.
  package struct Malformed: Error, Equatable {
    /// The packet's ID, if it has a valid one.
    package let id: UInt32?
    package let error: ProtocolError
  }

  /// Decodes a packet.
  package init(_ bytes: [UInt8]) throws(Malformed) {
    self.bytes = bytes
    var id: UInt32?
    do throws(ProtocolError) {
      let envelope = try Self.decode(Envelope.self, bytes)
      id = envelope.id
      kind = try Self.kind(of: envelope, bytes)
    } catch {
      throw Malformed(id: id, error: error)
    }
  }

  /// Decodes the parameters of a request or notification. Missing parameters are the same as `{}`.
  package func parameters<Parameters: Message>(
    _: Parameters.Type
  ) throws(ProtocolError) -> Parameters {
    try Self.decode(ParametersOf<Parameters>.self, bytes).params
  }

  /// Decodes parameters as ``parameters(_:)`` does, and checks them against ``MessageLimits``.
  package func checkedParameters<Parameters: Message>(
    _ type: Parameters.Type
  ) throws(ProtocolError) -> Parameters {
    let parameters = try parameters(type)
    try MessageLimits.check(parameters, at: "params")
    return parameters
  }

  /// Decodes the result of a request, and checks it against ``MessageLimits``.
  package func result<Response: Decodable>(_: Response.Type) throws(ProtocolError) -> Response {
    let result = try Self.decode(ResultOf<Response>.self, bytes).result
    try MessageLimits.check(result, at: "result")
    return result
  }

  private static func kind(of envelope: Envelope, _ bytes: [UInt8]) throws(ProtocolError) -> Kind {
    switch (envelope.hasMethod, envelope.hasResult, envelope.hasError) {
    case (true, false, false):
      let method = try decode(MethodOf.self, bytes).method
      guard let id = envelope.id else { return .notification(method: method) }
      return .request(id: id, method: method)
    case (false, true, false):
      guard let id = envelope.id else { break }
      return .response(id: id)
    case (false, false, true):
      return .error(id: envelope.id, try decode(ErrorOf.self, bytes).error)
    default: break
    }
    throw ProtocolError(
      .badMessage,
      "a message has 'method', or 'id' and 'result', or 'error', and no other of these: send one of them"
    )
  }

  private static func decode<Value: Decodable>(
    _: Value.Type, _ bytes: [UInt8]
  ) throws(ProtocolError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw ProtocolError(error, in: bytes)
    } catch {
      throw ProtocolError(.badMessage, "the message cannot be decoded: \(error)")
    }
  }
}

extension ReceivedPacket {
  /// The message in the packet.
  package var message: ReceivedMessage {
    get throws(ReceivedMessage.Malformed) {
      if isWhole { return try ReceivedMessage(bytes) }
      throw ReceivedMessage.Malformed(
        id: nil,
        error: ProtocolError(
          .badMessage, "a message has at most \(PacketSocket.limit) bytes, but this one has more"))
    }
  }
}

/// The parts of a packet that tell which kind of message it is.
private struct Envelope: Decodable {
  let id: UInt32?
  let hasMethod: Bool
  let hasResult: Bool
  let hasError: Bool

  private enum Key: CodingKey { case id, method, result, error }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = try fields.decodeIfPresent(UInt32.self, forKey: .id)
    hasMethod = fields.contains(.method)
    hasResult = fields.contains(.result)
    hasError = fields.contains(.error)
  }
}

private struct MethodOf: Decodable { let method: String }

private struct ErrorOf: Decodable { let error: ProtocolError }

private struct ResultOf<Response: Decodable>: Decodable { let result: Response }

private struct ParametersOf<Parameters: Decodable>: Decodable {
  let params: Parameters

  private enum Key: CodingKey { case params }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    params =
      fields.contains(.params)
      ? try fields.decode(Parameters.self, forKey: .params)
      : try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
  }
}
