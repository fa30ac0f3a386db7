/// The public properties of an ALSA sequencer port.
public struct SequencerPort: Equatable, Sendable {
  public let address: PortAddress
  /// The name of the client; for a keyboard, the product name.
  public let clientName: String
  public let name: String
  /// Whether other clients may subscribe to its output.
  public let sends: Bool
  /// Whether other clients may connect to its input.
  public let receives: Bool
  /// The hardware device of the port; `nil` for ports of programs and of the kernel.
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
