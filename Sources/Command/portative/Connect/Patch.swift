import ALSAMIDI

/// Keyboards, the ports of Portative servers, and what is connected, at one moment.
struct Patch {
  /// What may play a port: devices and programs, in the order of their addresses.
  let keyboards: [SequencerPort]
  /// Of all servers.
  let ports: [SequencerPort]
  private let subscriptions: [Subscription]

  init(_ patchbay: some Patchbay) throws(SequencerError) {
    let all = try patchbay.ports()
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

  /// Timers, announcements, and what is sent on as it came; shown only if somebody uses them.
  private static func isOfTheKernel(_ port: SequencerPort) -> Bool {
    port.address.client == PortAddress.announcements.client || port.clientName == "Midi Through"
  }

  /// The ports that a keyboard plays.
  func ports(playedBy keyboard: SequencerPort) -> [SequencerPort] {
    ports.filter { isConnected(keyboard, to: $0) }
  }

  func keyboards(playing port: SequencerPort) -> [SequencerPort] {
    keyboards.filter { isConnected($0, to: port) }
  }

  func isConnected(_ keyboard: SequencerPort, to port: SequencerPort) -> Bool {
    subscriptions.contains(Subscription(sender: keyboard.address, receiver: port.address))
  }

  /// What a port is called: a keyboard by its product, one of its ports by that port's name, with the number
  /// where two have the same; ours by its own.
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
