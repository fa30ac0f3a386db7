import LiveMIDI

/// The public properties of an ALSA sequencer port.
public struct SequencerPort: Equatable, Sendable {
  public let address: PortAddress
  /// The name of the client; for a keyboard, the name that the user has given to it, or the product name.
  public package(set) var clientName: String
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

extension SequencerPort {
  /// Returns whether the port has this name. ALSA truncates names to 63 bytes.
  package func isNamed(_ name: String) -> Bool {
    // Truncation may split the last character.
    self.name.utf8.prefix(60).elementsEqual(name.utf8.prefix(60))
  }

  /// Returns whether the client's or the port's name matches one of `patterns`, with `*`, `?` and `[…]` as in file
  /// names; not case-sensitive.
  package func matches(anyOf patterns: [String]) -> Bool {
    patterns.contains { pattern in
      [clientName, name].contains { $0.matches(namePattern: pattern) }
    }
  }

  /// Whether this is an input port of a Portative server.
  package var isPortative: Bool { clientName == ALSASequencer.clientName && receives && !sends }

  /// Whether this is a MIDI output of a Portative server.
  package var isPortativeOutput: Bool { clientName == ALSASequencer.outputClientName }

  /// Returns whether this port's address is lower.
  package func isBefore(_ other: SequencerPort) -> Bool {
    (address.client, address.port) < (other.address.client, other.address.port)
  }

  /// Whether the name shows that the port carries a program's buttons and faders: its events are not music, although
  /// many of them are note-ons.
  package var isForControl: Bool {
    // The name starts with the product name, which may contain such a word by chance.
    let own = name.hasPrefix(clientName) ? name.dropFirst(clientName.count) : name[...]
    let words = own.lowercased().split { !$0.isLetter }
    return words.contains { Self.wordsForControl.contains(String($0)) }
  }

  /// Words in the port names as ALSA lists them: Novation's `LKMK3 DAW Out` and `InControl`; Arturia's and M-Audio's
  /// `DAW`, `ALV`, `MCU/HUI`, `Mackie/HUI`, `Editor`; Korg's `CTRL`; Akai's `Private`; and those that the kernel itself
  /// assigns, `Control`, `Remote Control` and `Editor`.
  ///
  /// Source: vendors' programmers' guides; the kernel's `sound/usb/midi.c`, `snd_usbmidi_port_info`.
  private static let wordsForControl: Set = [
    "daw", "incontrol", "alv", "mcu", "hui", "mackie", "editor", "ctrl", "private", "control",
  ]
}
