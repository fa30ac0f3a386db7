import FoundationEssentials

/// Receives bytes, such as a file, in parts that fit into packets.
package struct PartReceiver {
  private let name: String
  private let limit: Int
  private var bytes: [UInt8] = []
  private var total = 0

  /// - Parameters:
  ///   - name: What the bytes are, for messages, such as "song".
  ///   - limit: The greatest number of bytes.
  package init(_ name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - data: The bytes in Base64.
  ///   - offset: The place of the part; 0 begins anew.
  ///   - total: The number of all bytes.
  /// - Returns: All bytes, if the part is the last; `nil`: more must follow.
  /// - Throws: ``ProtocolError``: `badMessage` for an invalid part; `badSequence` for one that does not follow the last.
  package mutating func add(
    _ data: String, at offset: Int, of total: Int
  ) throws(ProtocolError) -> [UInt8]? {
    guard 1...limit ~= total else {
      throw ProtocolError(
        .badMessage, "a \(name) must have 1 to \(limit) bytes, but has \(total)",
        field: "params.total")
    }
    guard let part = Data(base64Encoded: data), !part.isEmpty else {
      throw ProtocolError(.badMessage, "the part of a \(name) must be Base64", field: "params.data")
    }
    if offset == 0 { (bytes, self.total) = ([], total) }
    guard offset == bytes.count, total == self.total, part.count <= total - offset else {
      throw ProtocolError(
        .badSequence,
        "the part of a \(name) begins at \(offset), but \(bytes.count) of \(self.total) bytes were received: begin with offset 0"
      )
    }
    bytes += part
    guard bytes.count == total else { return nil }
    defer { (bytes, self.total) = ([], 0) }
    return bytes
  }
}

extension [UInt8] {
  /// Returns the bytes from `offset` on, as many as fit into a packet, in Base64.
  package func base64Part(from offset: Int) -> (data: String, end: Int) {
    let part = dropFirst(Swift.max(0, offset)).prefix(PacketSocket.limit / 2)
    return (Data(part).base64EncodedString(), part.endIndex)
  }
}
