import Configuration
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol

/// `portative set PORT zones=LIST`: changes what parts of keyboards play on a port.
struct ZonesAssignment {
  static let name = "zones"

  /// The zones in the notation of the configuration; `nil`: those of the scene or of the configuration.
  private let zones: String?

  /// - Parameter value: A list of zones; `-` for standard input; empty for those of the scene or of the configuration.
  init(_ value: String) {
    zones = value == "-" ? Self.input() : value.isEmpty ? nil : value
  }

  /// - Throws: ``Failure`` with the place in the list if the zones cannot be played.
  func apply(to component: Component, _ host: AudioHost) throws {
    do throws(ConnectionError) {
      try host.setZones(zones, of: component)
    } catch {
      if case .refused(let refusal) = error, refusal.code == .badSequence {
        throw Failure(.inputUnusable, refusal.message)
      }
      throw error
    }
  }

  /// Reads standard input.
  private static func input() -> String {
    var bytes: [UInt8] = []
    // More is refused by the connection.
    while let line = readLine(strippingNewline: false) {
      bytes += line.utf8
      if bytes.count > PacketSocket.limit { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
