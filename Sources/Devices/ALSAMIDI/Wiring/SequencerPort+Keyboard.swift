import Glibc

extension SequencerPort {
  /// Whether it is called so. ALSA keeps 63 bytes of a name.
  package func isNamed(_ name: String) -> Bool {
    // The last of them may be a part of a character.
    self.name.utf8.prefix(60).elementsEqual(name.utf8.prefix(60))
  }

  /// Whether the name of its client or its own is as one of `patterns`, with `*`, `?` and `[…]` as in file
  /// names; upper and lower case are alike.
  package func matches(anyOf patterns: [String]) -> Bool {
    let names = [clientName.lowercased(), name.lowercased()]
    return patterns.contains { pattern in
      names.contains { fnmatch(pattern.lowercased(), $0, 0) == 0 }
    }
  }

  /// Whether it is one that a Portative server plays.
  package var isPortative: Bool { clientName == ALSASequencer.clientName && receives && !sends }

  /// Whether its address is the lower one.
  package func isBefore(_ other: SequencerPort) -> Bool {
    (address.client, address.port) < (other.address.client, other.address.port)
  }

  /// Whether its name says that it is for a program's buttons and faders: what it sends are no notes to
  /// hear, though many of them are note-ons.
  package var isForControl: Bool {
    // The product's name comes first, and may have such a word without meaning it.
    let own = name.hasPrefix(clientName) ? name.dropFirst(clientName.count) : name[...]
    let words = own.lowercased().split { !$0.isLetter }
    return words.contains { Self.wordsForControl.contains(String($0)) }
  }

  /// As ALSA lists them: Novation's `LKMK3 DAW Out` and `InControl`; Arturia's and M-Audio's `DAW`, `ALV`,
  /// `MCU/HUI`, `Mackie/HUI`, `Editor`; Korg's `CTRL`; Akai's `Private`; and those that the kernel names
  /// itself, `Control`, `Remote Control` and `Editor`.
  ///
  /// Source: makers' programmers' guides; the kernel's `sound/usb/midi.c`, `snd_usbmidi_port_info`.
  private static let wordsForControl: Set = [
    "daw", "incontrol", "alv", "mcu", "hui", "mackie", "editor", "ctrl", "private", "control",
  ]
}
