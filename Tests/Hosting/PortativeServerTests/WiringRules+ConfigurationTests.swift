import ALSA
import Configuration
import PortativeServer
import Testing

@Test func `the configuration assigns keyboards to ports`() {
  var midi = MIDISettings()
  var organ = PortSettings(name: "Maker: Organ", subtype: "orga")
  organ.keyboards = ["Nord*"]
  let ports = [PortSettings(name: "Maker: Piano", subtype: "pian"), organ]
  #expect(
    WiringRules(midi, ports: ports)
      == WiringRules(ports: [
        .init(name: "Maker: Piano"), .init(name: "Maker: Organ", keyboards: ["Nord*"]),
      ]))
  midi.connect = .nothing
  midi.ignore = ["nano*"]
  #expect(WiringRules(midi, ports: []) == WiringRules(connectsHardware: false, ignored: ["nano*"]))
  midi.connect = .hardware
  #expect(WiringRules(midi, ports: []).connectsHardware)
}
