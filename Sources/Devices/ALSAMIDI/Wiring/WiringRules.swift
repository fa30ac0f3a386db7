/// What is connected by itself, as far as nobody has wired it by hand.
package struct WiringRules: Equatable, Sendable {
  /// A port of ours, and the keyboards that are meant for it.
  package struct Port: Equatable, Sendable {
    package var name: String
    /// As for ``SequencerPort/matches(anyOf:)``; these may be programs too.
    package var keyboards: [String]

    package init(name: String, keyboards: [String] = []) {
      self.name = name
      self.keyboards = keyboards
    }
  }

  /// Our ports; the first plays what is not meant for another.
  package var ports: [Port]
  /// Whether devices are connected that no port lists and nobody has wired.
  package var connectsHardware: Bool
  /// What is left alone, and not remembered either.
  package var ignored: [String]

  package init(ports: [Port] = [], connectsHardware: Bool = true, ignored: [String] = []) {
    self.ports = ports
    self.connectsHardware = connectsHardware
    self.ignored = ignored
  }

  /// Those of our ports that list a keyboard.
  package func ports(listing keyboard: SequencerPort) -> [Port] {
    ports.filter { keyboard.matches(anyOf: $0.keyboards) }
  }

  /// Ports of devices that nobody plays on: what a program writes to `snd-virmidi`, and what the machine that
  /// we are the USB gadget of sends. They are connected if somebody wants it, by hand or by a list.
  static let noKeyboards = virtualDevices + ["f_midi"]

  /// Clients of `snd-virmidi`.
  static let virtualDevices = ["Virtual Raw MIDI *", "VirMIDI *"]
}
