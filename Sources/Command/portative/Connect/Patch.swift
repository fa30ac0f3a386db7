import ALSA

/// A snapshot of the keyboards, the ports of Portative servers, and their connections.
struct Patch {
  /// The possible sources: devices and programs, in the order of their addresses.
  let keyboards: [SequencerPort]
  /// The ports of all servers.
  let ports: [SequencerPort]
  private let subscriptions: [Subscription]

  /// - Parameter names: The names that the user has given to keyboards.
  init(
    _ patchbay: some Patchbay, names: KeyboardNames = KeyboardNames()
  ) throws(SequencerError) {
    let all = try patchbay.ports().map(names.named)
    let ports = all.filter(\.isPortative)
    let wired = try patchbay.subscriptions().filter { subscription in
      ports.contains { $0.address == subscription.receiver }
    }
    self.ports = ports
    subscriptions = wired
    keyboards = all.filter { port in
      port.sends && !Self.isOfTheKernel(port)
        || wired.contains { $0.sender == port.address }
    }
  }

  /// Whether it is a port of the kernel, for timers and announcements, or of Midi Through. These are listed only while
  /// they are connected to one of our ports.
  private static func isOfTheKernel(_ port: SequencerPort) -> Bool {
    port.address.client == PortAddress.announcements.client || port.clientName == "Midi Through"
  }

  /// Returns the ports that a keyboard plays.
  func ports(playedBy keyboard: SequencerPort) -> [SequencerPort] {
    ports.filter { isConnected(keyboard, to: $0) }
  }

  func keyboards(playing port: SequencerPort) -> [SequencerPort] {
    keyboards.filter { isConnected($0, to: port) }
  }

  func isConnected(_ keyboard: SequencerPort, to port: SequencerPort) -> Bool {
    subscriptions.contains(Subscription(sender: keyboard.address, receiver: port.address))
  }

  /// Returns the name to show for a port. A keyboard has the name that the user has given to it, or that of its product;
  /// one of several ports also has the port's name, and its number if that name is not unique. One of our ports has its
  /// own name.
  func name(of port: SequencerPort) -> String {
    if port.isPortative { return port.name }
    let siblings = keyboards.filter { $0.address.client == port.address.client }
    if siblings.count < 2 { return port.clientName }
    let name =
      port.name.hasPrefix(port.clientName) ? port.name : "\(port.clientName): \(port.name)"
    return siblings.filter { $0.name == port.name }.count < 2
      ? name : "\(name) (port \(port.address.port))"
  }
}
