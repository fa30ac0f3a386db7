import ALSA
import Testing

@Suite(.timeLimit(.minutes(5))) struct AutomaticWiringTests {
  let room = WiredRoom("Piano", "Organ")
  let keys = SequencerPort.usb(28, at: "1")
  let pads = SequencerPort.usb(32, "Pads", product: "09e8:0031", at: "2")

  @Test func `every keyboard plays the first port`() {
    room.plug(keys, pads)
    #expect(room.connections == ["28:0 Piano", "32:0 Piano"])
  }

  @Test func `keyboards that appear first are connected when the port appears`() {
    let room = WiredRoom()
    room.rules.ports = [WiringRules.Port(name: "Piano"), WiringRules.Port(name: "Organ")]
    room.plug(keys)
    room.add("Organ", port: 0)
    #expect(room.connections == [])
    room.add("Piano", port: 1)
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test func `a port that returns gets its keyboards again`() {
    room.plug(keys)
    room.remove("Piano")
    #expect(room.connections == [])
    room.add("Piano", port: 0)
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test(
    arguments: [
      .program(14, "Midi Through", named: "Midi Through Port-0"), .program(130, "VMPK Output"),
      .program(143, "PipeWire-RT-Event", named: "input"), .program(0, "System", named: "Timer"),
      .program(129, "a2jmidid", named: "port"), .program(131, "RtMidi Output Client"),
      .usb(20, "Virtual Raw MIDI 0-0", product: "x", at: "platform/snd_virmidi.0"),
      .usb(24, "f_midi", product: "x", at: "platform/dummy_udc.0/gadget"),
    ] as [SequencerPort])
  func `a device without keys is not connected automatically`(port: SequencerPort) {
    room.plug(port)
    #expect(room.connections == [])
    room.connect(port, to: "Organ")
    room.plug(keys)
    #expect(room.connections.contains("\(port.address) Organ"))
    room.disconnect(port, from: "Organ")
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test func `a controller's buttons and faders do not count as keys`() {
    room.plug(
      .usb(28, "Oxygen Pro 61", named: "Oxygen Pro 61 USB MIDI", at: "1"),
      .usb(28, "Oxygen Pro 61", port: 1, named: "Oxygen Pro 61 MIDI DIN", at: "1"),
      .usb(28, "Oxygen Pro 61", port: 2, named: "Oxygen Pro 61 Mackie/HUI", at: "1"),
      .usb(28, "Oxygen Pro 61", port: 3, named: "Oxygen Pro 61 Editor", at: "1"))
    #expect(room.connections == ["28:0 Piano", "28:1 Piano"])
  }

  @Test func `the keyboard's port is found after its buttons' port`() {
    room.plug(.usb(28, "Keylab", named: "Keylab DAW", at: "1"))
    #expect(room.connections == ["28:0 Piano"])
    room.plug(.usb(28, "Keylab", port: 1, named: "Keylab MIDI", at: "1"))
    #expect(room.connections == ["28:1 Piano"])
  }

  @Test func `a device that has only faders may be connected`() {
    room.plug(.usb(28, "nanoKONTROL2", named: "nanoKONTROL2 nanoKONTROL2 _ CTRL", at: "1"))
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test func `of ports with equal truncated names, the first is the keyboard`() {
    let name = "Launchkey MK4 61 Launchkey MK4"
    room.plug(
      .usb(28, "Launchkey MK4 61", named: name, at: "1"),
      .usb(28, "Launchkey MK4 61", port: 1, named: name, at: "1"))
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test func `a port has its listed keyboards, and the first port all others`() {
    room.rules.ports[1].keyboards = ["pad*"]
    room.plug(keys, pads)
    #expect(room.connections == ["28:0 Piano", "32:0 Organ"])
  }

  @Test func `a keyboard, or program, that several ports list plays them all`() {
    room.rules.ports[0].keyboards = ["Keys"]
    room.rules.ports[1].keyboards = ["Keys", "* MIDI 3", "VMPK *"]
    room.plug(keys, .usb(32, port: 2, at: "2"), .program(130, "VMPK Output"))
    #expect(
      room.connections == [
        "130:0 Organ", "28:0 Organ", "28:0 Piano", "32:2 Organ", "32:2 Piano",
      ])
  }

  @Test func `without automatic connections, only listed and remembered ones are made`() {
    room.rules.connectsHardware = false
    room.rules.ports[1].keyboards = ["Pads"]
    room.plug(keys, pads)
    #expect(room.connections == ["32:0 Organ"])
    room.connect(keys, to: "Piano")
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["28:0 Piano", "32:0 Organ"])
  }

  @Test func `an ignored device is not changed`() {
    room.rules.ignored = ["KEYS"]
    room.plug(keys)
    #expect(room.connections == [])
    room.connect(keys, to: "Organ")
    room.plug(pads)
    #expect(room.connections == ["28:0 Organ", "32:0 Piano"])
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["32:0 Piano"])
  }

  @Test func `a port that becomes private is not connected`() {
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    let closed = SequencerPort(
      address: pads.address, clientName: "Pads", name: "Pads", sends: false, receives: true,
      device: pads.device)
    room.plug(closed)
    #expect(room.connections == [])
    room.tell(.changed(pads))
    #expect(room.connections == ["32:0 Piano"])
  }

  @Test func `after lost events the connections are the same`() {
    room.plug(keys, pads)
    room.connect(keys, to: "Organ")
    let before = room.connections
    for keyboard in [keys, pads] { room.tell(.vanished(keyboard)) }
    for keyboard in [keys, pads] { room.tell(.appeared(keyboard)) }
    #expect(room.connections == before)
  }
}
