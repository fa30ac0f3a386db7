import ALSA
import Testing

@Test func `a pattern is a glob, case-insensitive, for the client's name or the port's`() {
  let port = SequencerPort.usb(28, "Nord Piano 5", named: "Nord Piano 5 MIDI Output", at: "1")
  for pattern in ["nord*", "Nord Piano ?", "NORD PIANO [0-9]", "*output", "Nord Piano 5"] {
    #expect(port.matches(anyOf: ["x", pattern]), "\(pattern)")
  }
  for pattern in ["Nord", "Piano", "", "Nord Piano 5 MIDI", "[a-m]*"] {
    #expect(!port.matches(anyOf: [pattern]), "\(pattern)")
  }
  #expect(!port.matches(anyOf: []))
}

@Test func `a name that ALSA has truncated matches`() {
  let name = String(repeating: "Ä", count: 40)
  let port = SequencerPort.program(128, "Portative", named: String(name.prefix(31)) + "\u{FFFD}")
  #expect(port.isNamed(name))
  #expect(!port.isNamed(String(name.prefix(20))))
}
