package import ALSA
package import Configuration

extension WiringRules {
  /// - Parameter ports: The published ports. The first gets the keyboards that no other port lists.
  package init(_ settings: MIDISettings, ports: [PortSettings]) {
    self.init(
      ports: ports.map { Port(name: $0.name, keyboards: $0.keyboards ?? []) },
      connectsHardware: settings.connect != .nothing, ignored: settings.ignore ?? [])
  }
}

extension KeyboardNames {
  package init(_ settings: MIDISettings) {
    self.init(
      (settings.names ?? []).map { names in
        Rule(
          name: names.name, product: names.product, serial: names.serial, socket: names.socket)
      })
  }
}
