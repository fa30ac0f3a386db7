import FoundationEssentials
import NodeProtocol

extension Array where Element: Encodable {
  /// Returns as many elements as fit into a packet, but at least one.
  ///
  /// - Parameters:
  ///   - first: The number of elements to leave out, because earlier responses have listed them.
  ///   - used: The bytes of JSON that the packet has besides.
  package func packetPart(from first: Int, besides used: Int = 0) -> [Element] {
    var left = PacketSocket.limit * 3 / 4 - used
    var part: [Element] = []
    for element in dropFirst(Swift.max(0, first)) {
      left -= Self.packetSize(of: element)
      if left < 0, !part.isEmpty { break }
      part.append(element)
    }
    return part
  }

  /// The bytes of JSON that all elements need in a packet.
  var packetSize: Int { reduce(0) { $0 + Self.packetSize(of: $1) } }

  private static func packetSize(of element: Element) -> Int {
    // One byte for the comma after the element.
    ((try? JSONEncoder().encode(element).count) ?? 0) + 1
  }
}
