/// The rules by which keyboards are connected automatically, unless the user has connected them.
package struct WiringRules: Equatable, Sendable {
  /// One of our ports, with the keyboards that it lists.
  package struct Port: Equatable, Sendable {
    package var name: String
    /// Patterns for ``SequencerPort/matches(anyOf:)``; they may also match programs.
    package var keyboards: [String]

    package init(name: String, keyboards: [String] = []) {
      self.name = name
      self.keyboards = keyboards
    }
  }

  /// Our ports. The first gets all devices that no other port lists.
  package var ports: [Port]
  /// Whether hardware devices are connected that no port lists and the user has not connected.
  package var connectsHardware: Bool
  /// Patterns of ports that are neither connected nor stored.
  package var ignored: [String]

  package init(ports: [Port] = [], connectsHardware: Bool = true, ignored: [String] = []) {
    self.ports = ports
    self.connectsHardware = connectsHardware
    self.ignored = ignored
  }

  /// Returns our ports that list a keyboard.
  package func ports(listing keyboard: SequencerPort) -> [Port] {
    ports.filter { keyboard.matches(anyOf: $0.keyboards) }
  }

  /// Patterns of device ports that are not keyboards: `snd-virmidi` ports, which carry a program's output, and the host
  /// of this machine's USB gadget port. They are only connected by the user or by a list.
  static let nonKeyboards = virtualDevices + ["f_midi"]

  /// Patterns of the clients of `snd-virmidi`.
  static let virtualDevices = ["Virtual Raw MIDI *", "VirMIDI *"]
}
