/// What another program can see of a port of the ALSA sequencer.
public struct SequencerPort: Equatable, Sendable {
  public let address: PortAddress
  /// The client's; for a keyboard it is the product's name.
  public let clientName: String
  public let name: String
  /// Whether others may subscribe to what it sends.
  public let sends: Bool
  /// Whether others may have it receive what they send.
  public let receives: Bool
  /// The device behind it; `nil` for a program's port, and for one of the kernel's own.
  public let device: DeviceIdentity?

  public init(
    address: PortAddress, clientName: String, name: String, sends: Bool, receives: Bool,
    device: DeviceIdentity? = nil
  ) {
    self.address = address
    self.clientName = clientName
    self.name = name
    self.sends = sends
    self.receives = receives
    self.device = device
  }
}
