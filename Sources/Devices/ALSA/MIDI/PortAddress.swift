/// The address of an ALSA sequencer port: `client:port`, as in `aconnect 24:0 128:1`.
///
/// Addresses are reused. A keyboard that is plugged in again may get another address, and another keyboard may get
/// its old one. Use ``DeviceIdentity`` to recognize a device.
///
/// The corresponding C type is `snd_seq_addr_t`.
public struct PortAddress: Hashable, Sendable, CustomStringConvertible {
  public let client: UInt8
  public let port: UInt8

  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// The system port that announces changes of clients, ports and subscriptions.
  public static let announcements = Self(client: 0, port: 1)

  public var description: String { "\(client):\(port)" }
}
