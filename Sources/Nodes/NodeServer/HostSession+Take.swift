import FoundationEssentials
import NodeDirectory
import NodeProtocol

extension HostSession {
  /// Returns as many bytes of the take as fit into a packet in Base64.
  func take(_ request: GetTake) throws(ProtocolError) -> GetTake.Response {
    if let seconds = request.seconds, !(0..<1e9).contains(seconds) {
      throw ProtocolError(
        .badMessage, "seconds must be from 0 to 1e9, but is \(seconds)", field: "params.seconds")
    }
    if request.offset == 0 {
      let port = try request.component.map { component throws(ProtocolError) in
        try server.port(component).description.name
      }
      take = server.takes?.take(
        of: port, seconds: request.seconds, keepsSilence: request.keepsSilence)
    }
    guard let take else {
      if request.offset == 0 {
        return GetTake.Response(data: "", total: 0, take: .empty(limit: 0))
      }
      throw ProtocolError(.badSequence, "request a take from offset 0 first")
    }
    let part = take.file.dropFirst(max(0, request.offset)).prefix(PacketSocket.limit / 2)
    if request.offset + part.count >= take.file.count { self.take = nil }
    return GetTake.Response(
      data: Data(part).base64EncodedString(), total: take.file.count, take: take.properties)
  }
}
