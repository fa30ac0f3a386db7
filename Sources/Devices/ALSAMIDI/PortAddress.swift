/// Where a port of the ALSA sequencer is: `client:port`, as in `aconnect 24:0 128:1`.
///
/// Numbers are given away again: a keyboard that is plugged in again may have another address, and
/// another keyboard its old one. ``DeviceIdentity`` is what stays.
///
/// The corresponding C type is `snd_seq_addr_t`.
public struct PortAddress: Hashable, Sendable, CustomStringConvertible {
  public let client: UInt8
  public let port: UInt8

  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// The system's port that tells of clients, ports and subscriptions that come and go.
  public static let announcements = Self(client: 0, port: 1)

  public var description: String { "\(client):\(port)" }
}
