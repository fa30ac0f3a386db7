import NodeDirectory
import NodeProtocol

extension HostSession {
  /// The maximum length in bytes of a host's icon path and URL.
  private static let maximumPathLength = 1024

  /// Chooses the version of the protocol, and identifies the host.
  func accept(_ hello: Hello) throws(ProtocolError) -> Hello.Response {
    guard let version = hello.protocol.common(with: .supported) else {
      throw ProtocolError(
        .versionMismatch,
        "the host supports versions \(hello.protocol.minimum) to \(hello.protocol.maximum) of the "
          + "protocol, but this node \(VersionRange.supported.minimum) to "
          + "\(VersionRange.supported.maximum): use the same version of Portative on both sides")
    }
    var host = hello.peer
    try check(host)
    // The process ID from the kernel is reliable; the one from the host is not.
    host.processID = socket.peer?.process ?? host.processID
    self.host = host
    return Hello.Response(
      protocol: version, features: server.features.filter(hello.features.contains),
      peer: server.peer)
  }

  /// Checks the lengths of the host's properties, which are sent to other hosts in packets.
  private func check(_ host: Peer) throws(ProtocolError) {
    for (field, text) in [("name", host.name), ("icon", host.icon), ("url", host.url)] {
      let limit = field == "name" ? PortDescription.maximumNameLength : Self.maximumPathLength
      guard let count = text?.utf8.count, count > limit else { continue }
      throw ProtocolError(
        .badMessage, "a host's \(field) has at most \(limit) bytes, but this one has \(count)",
        field: "params.peer.\(field)")
    }
  }
}
