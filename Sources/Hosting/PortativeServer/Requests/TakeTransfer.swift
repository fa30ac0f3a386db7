import FoundationEssentials
package import NodeProtocol

/// Sends a file of what keyboards have played in parts that fit into packets.
package struct TakeTransfer {
  /// The file whose end has not been requested yet.
  private var take: RecordedTake?

  package init() {}

  /// Returns as many bytes of the file as fit into a packet in Base64.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - make: Makes the file, if the request is for its beginning; `nil` if nothing is recorded.
  /// - Throws: ``ProtocolError``: `badSequence` without a request for the beginning; `badMessage` for impossible seconds.
  package mutating func part(
    _ request: GetTake, made make: () throws(ProtocolError) -> RecordedTake?
  ) throws(ProtocolError) -> GetTake.Response {
    if let seconds = request.seconds, !(0..<1e9).contains(seconds) {
      throw ProtocolError(
        .badMessage, "seconds must be from 0 to 1e9, but is \(seconds)", field: "params.seconds")
    }
    if request.offset == 0 { take = try make() }
    guard let take else {
      if request.offset == 0 {
        return GetTake.Response(data: "", total: 0, take: .empty(limit: 0))
      }
      throw ProtocolError(.badSequence, "request a take from offset 0 first")
    }
    let (data, end) = take.file.base64Part(from: request.offset)
    if end == take.file.count { self.take = nil }
    return GetTake.Response(data: data, total: take.file.count, take: take.properties)
  }
}
