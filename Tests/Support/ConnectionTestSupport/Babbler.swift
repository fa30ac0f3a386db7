package import NodeProtocol
import TestSupport

/// Generates invalid and valid messages at random.
package struct Babbler {
  private var random: Seeded
  private let sense: [[UInt8]]

  /// Values that numbers and strings must not have.
  private static let odd = [
    "1e400", "-1e400", "1e39", "1e-400", "NaN", "\"NaN\"", "-0", "0.5", "null", "[]", "{}",
    "-9223372036854775808", "9223372036854775807", "18446744073709551616", "4294967295",
    String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    String(repeating: "{\"a\":", count: 5000), "\"" + String(repeating: "x", count: 60_000) + "\"",
  ]

  /// - Parameter packets: Valid packets.
  package init(_ packets: [[UInt8]], seed: UInt64) {
    random = Seeded(seed)
    sense = packets
  }

  package static func packet(_ request: some Request) -> [UInt8] {
    try! MessageEncoder.request(request, id: 1)
  }

  package static func packet(_ notification: some NodeProtocol.Notification) -> [UInt8] {
    try! MessageEncoder.notification(notification)
  }

  package mutating func message() -> [UInt8] {
    var bytes = sense.randomElement(using: &random)!
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return (0..<Int.random(in: 1...200, using: &random)).map { _ in byte() }
    case 1: return Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
    case 2, 3:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = byte()
      }
    case 4:
      let places = bytes.indices.filter { (48...57).contains(bytes[$0]) }
      if let place = places.randomElement(using: &random) {
        bytes.insert(contentsOf: [UInt8](repeating: 57, count: 20), at: place)
      }
    case 5 where Int.random(in: 0..<20, using: &random) == 0:
      bytes += [UInt8](repeating: 32, count: PacketSocket.limit)
    case 6, 7: bytes = replaceValue(of: bytes)
    default: break
    }
    return bytes
  }

  /// Replaces the value after a random colon with an invalid one.
  private mutating func replaceValue(of bytes: [UInt8]) -> [UInt8] {
    let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
    guard let colon = colons.randomElement(using: &random) else { return bytes }
    let ends = [UInt8](",}]".utf8)
    let end = bytes[colon...].firstIndex { ends.contains($0) } ?? bytes.endIndex
    let odd = Self.odd.randomElement(using: &random)!
    return bytes[...colon] + Array(odd.utf8) + bytes[end...]
  }

  private mutating func byte() -> UInt8 { .random(in: 0...255, using: &random) }
}
