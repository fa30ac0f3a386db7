import LiveMIDI

/// The names that the user has given to keyboards. They replace the names of products wherever a keyboard is named, and
/// so survive another unit of the same make, or another socket.
///
/// Only hardware devices can have them.
package struct KeyboardNames: Equatable, Sendable {
  /// A name, and which keyboards have it. Conditions that are `nil` hold for all.
  package struct Rule: Equatable, Sendable {
    package let name: String
    /// A pattern for the client's or the port's name.
    package let product: String?
    package let serial: String?
    /// A pattern for ``DeviceIdentity/path``.
    package let socket: String?

    package init(name: String, product: String?, serial: String?, socket: String?) {
      self.name = name
      self.product = product
      self.serial = serial
      self.socket = socket
    }

    fileprivate func applies(to port: SequencerPort, _ device: DeviceIdentity) -> Bool {
      (product.map { port.matches(anyOf: [$0]) } ?? true)
        && (serial.map { $0 == device.serial } ?? true)
        && (socket.map { device.path.matches(namePattern: $0) } ?? true)
    }
  }

  /// The first rule that applies decides.
  private let rules: [Rule]

  package init(_ rules: [Rule] = []) { self.rules = rules }

  /// Returns a port of another client with the name that the user has given to it, if any.
  package func named(_ port: SequencerPort) -> SequencerPort {
    guard let device = port.device, !port.matches(anyOf: WiringRules.virtualDevices),
      let rule = rules.first(where: { $0.applies(to: port, device) })
    else { return port }
    var named = port
    named.clientName = rule.name
    return named
  }
}
