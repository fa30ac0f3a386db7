import FoundationEssentials

/// Encodes messages as packets.
package enum MessageEncoder {
  /// - Throws: `EncodingError` if the message has an infinite or NaN number.
  package static func request(_ request: some Request, id: UInt32) throws -> [UInt8] {
    try encode(Envelope(id: id, method: type(of: request).method, params: request))
  }

  package static func notification(_ notification: some Notification) throws -> [UInt8] {
    try encode(Envelope(method: type(of: notification).method, params: notification))
  }

  package static func response(_ response: some Encodable, id: UInt32) throws -> [UInt8] {
    try encode(Envelope(id: id, result: response))
  }

  /// - Parameter id: The request that failed; `nil` if the error concerns no request that could be read.
  package static func error(_ error: ProtocolError, id: UInt32?) throws -> [UInt8] {
    try encode(Envelope(id: id, error: error.shortened))
  }

  private static func encode(_ envelope: Envelope) throws -> [UInt8] {
    [UInt8](try JSONEncoder().encode(envelope))
  }
}

private struct Envelope: Encodable {
  var id: UInt32?
  var method: String?
  var params: (any Encodable)?
  var result: (any Encodable)?
  var error: ProtocolError?

  enum Key: CodingKey { case id, method, params, result, error }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encodeIfPresent(id, forKey: .id)
    try fields.encodeIfPresent(method, forKey: .method)
    if let params { try params.encode(to: fields.superEncoder(forKey: .params)) }
    if let result { try result.encode(to: fields.superEncoder(forKey: .result)) }
    try fields.encodeIfPresent(error, forKey: .error)
  }
}
