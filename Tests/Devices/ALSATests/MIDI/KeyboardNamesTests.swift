import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct KeyboardNamesTests {
  private func keyboard(
    _ client: UInt8, _ name: String, serial: String? = nil, at path: String
  ) -> SequencerPort {
    SequencerPort(
      address: PortAddress(client: client, port: 0), clientName: name, name: "\(name) MIDI 1",
      sends: true, receives: true,
      device: DeviceIdentity(product: "1235:0001", serial: serial, path: path))
  }

  private func rule(
    _ name: String, product: String? = nil, serial: String? = nil, socket: String? = nil
  ) -> KeyboardNames.Rule {
    KeyboardNames.Rule(name: name, product: product, serial: serial, socket: socket)
  }

  @Test func `the first rule of which all conditions hold gives its name`() {
    let names = KeyboardNames([
      rule("Upper", product: "Nord*", serial: "7"), rule("Lower", product: "nord*"),
      rule("Pads", socket: "*-1.3"),
    ])
    func name(_ port: SequencerPort) -> String { names.named(port).clientName }
    #expect(name(keyboard(24, "Nord Stage", serial: "7", at: "usb-a-1.1")) == "Upper")
    #expect(name(keyboard(24, "Nord Stage", serial: "8", at: "usb-a-1.1")) == "Lower")
    #expect(name(keyboard(24, "Korg", at: "usb-a-1.3")) == "Pads")
    #expect(name(keyboard(24, "Korg", at: "usb-a-1.4")) == "Korg")
  }

  @Test func `programs and virtual devices keep their names`() {
    let names = KeyboardNames([rule("Mine", product: "*")])
    let program = SequencerPort(
      address: PortAddress(client: 128, port: 0), clientName: "Rosegarden", name: "out",
      sends: true, receives: true)
    #expect(names.named(program) == program)
    let virtual = keyboard(24, "VirMIDI 1-0", at: "platform")
    #expect(names.named(virtual) == virtual)
  }

  @Test func `a keyboard has its name in every event, and a new one at once`() throws {
    let sequencer = RecordedSequencer()
    sequencer.others = [keyboard(24, "Nord Stage", at: "usb-a-1.1")]
    let input = LiveInput()
    var state = try BridgeState(sequencer, wiring: WiringOfAll()) { 1_000_000 }
    try state.setNames(KeyboardNames([rule("Lower", product: "Nord*")]))
    let port = try state.add(portNamed: "Organ", input: input)
    let keys = PortAddress(client: 24, port: 0)
    sequencer.events = [
      .success(
        SequencerEvent(
          source: .announcements, destination: state.watch.announcementPort, time: nil,
          content: .announcement(.subscribed(sender: keys, receiver: port))))
    ]
    _ = try state.readEvents()
    #expect(state.events == [.wired(sender: "Lower", port: "Organ")])
    #expect(input.sourceNames == ["Lower"])
    try state.setNames(KeyboardNames([rule("Solo", product: "Nord*")]))
    #expect(input.sourceNames == ["Solo"])
    try state.setNames(KeyboardNames())
    #expect(input.sourceNames == ["Nord Stage"])
  }
}
