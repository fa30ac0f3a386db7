import ALSA
import TestSupport
import Testing

/// Tests of connections that the user makes or breaks.
@Suite(.timeLimit(.minutes(5))) struct RememberedWiringTests {
  let room = WiredRoom("Piano", "Organ")
  let keys = SequencerPort.usb(28, serial: "4711", at: "1")

  @Test func `a user's connection is restored when the keyboard is plugged in again`() {
    room.plug(keys)
    room.connect(keys, to: "Organ")
    #expect(room.connections == ["28:0 Organ", "28:0 Piano"])
    room.unplug(keys)
    let again = SequencerPort.usb(36, serial: "4711", at: "1")
    room.plug(again)
    #expect(room.connections == ["36:0 Organ", "36:0 Piano"])
  }

  @Test func `a keyboard that the user moves stays at its port`() {
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    room.connect(keys, to: "Organ")
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["28:0 Organ"])
  }

  @Test func `a keyboard that the user disconnects stays disconnected`() {
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    #expect(room.connections == [])
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
  }

  @Test func `a server that is started later has the same connections`() {
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    room.connect(keys, to: "Organ")
    let later = WiredRoom("Piano", "Organ", in: room.system)
    later.plug(keys)
    #expect(later.connections == ["28:0 Organ"])
  }

  @Test func `unplugging does not count as disconnecting`() {
    room.plug(keys)
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["28:0 Piano"])
    #expect(wiringFile(room.system) == nil)
  }

  @Test func `a port that returns gets its keyboards by its name`() {
    room.plug(keys)
    room.connect(keys, to: "Organ")
    room.disconnect(keys, from: "Piano")
    room.remove("Organ")
    #expect(room.connections == [])
    room.connect(keys, to: "Piano")
    room.add("Organ", port: 7)
    #expect(room.connections == ["28:0 Organ", "28:0 Piano"])
  }

  @Test func `a list in the configuration overrides older remembered connections`() {
    room.plug(keys)
    room.connect(keys, to: "Organ")
    room.disconnect(keys, from: "Piano")
    room.rules.ports[0].keyboards = ["Keys"]
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["28:0 Piano"])
    #expect(room.complaints.isEmpty)
  }

  @Test
  func
    `a listed keyboard that the user disconnects stays disconnected, which is reported each time`()
  {
    room.rules.ports[1].keyboards = ["Keys"]
    room.plug(keys)
    #expect(room.connections == ["28:0 Organ"])
    room.disconnect(keys, from: "Organ")
    #expect(room.complaints.count == 1)
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
    #expect(
      room.complaints.last
        == "Organ lists Keys in the configuration, but you have disconnected it, so it stays disconnected: "
        + "'portative connect \"Keys\" \"Organ\"' connects it again")
    #expect(room.complaints.count == 2)
    // The same holds after a restart of the server.
    let later = WiredRoom("Piano", "Organ", rules: room.rules, in: room.system)
    later.plug(keys)
    #expect(later.connections == [])
    later.connect(keys, to: "Organ")
    later.unplug(keys)
    later.plug(keys)
    #expect(later.connections == ["28:0 Organ"])
    #expect(later.complaints.count == 1)
  }

  @Test func `a list that is changed later applies again`() {
    room.rules.ports[1].keyboards = ["Keys"]
    room.plug(keys)
    room.disconnect(keys, from: "Organ")
    room.unplug(keys)
    room.rules.ports[0].keyboards = ["Keys"]
    room.plug(keys)
    #expect(room.connections == ["28:0 Organ", "28:0 Piano"])
  }

  @Test func `connections in addition to a list are remembered`() {
    room.rules.ports[1].keyboards = ["Keys"]
    room.plug(keys)
    room.connect(keys, to: "Piano")
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == ["28:0 Organ", "28:0 Piano"])
    #expect(room.complaints.isEmpty)
  }

  @Test func `each port of a device has its own entry`() {
    let second = SequencerPort.usb(28, port: 1, serial: "4711", at: "1")
    room.plug(keys, second)
    room.connect(second, to: "Organ")
    room.disconnect(second, from: "Piano")
    room.unplug(keys, second)
    room.plug(keys, second)
    #expect(room.connections == ["28:0 Piano", "28:1 Organ"])
  }

  @Test func `two equal keyboards are distinguished by their sockets`() {
    let twins = ["1", "2"].map { SequencerPort.usb($0 == "1" ? 28 : 32, at: $0) }
    room.plug(twins[0], twins[1])
    room.connect(twins[1], to: "Organ")
    room.disconnect(twins[1], from: "Piano")
    room.unplug(twins[0], twins[1])
    // Plugged in the other order, so that each has the other's client number.
    room.plug(.usb(28, at: "2"), .usb(32, at: "1"))
    #expect(room.connections == ["28:0 Organ", "32:0 Piano"])
  }

  @Test func `two keyboards with the same serial number are distinguished by their sockets`() {
    let twins = ["1", "2"].map { SequencerPort.usb($0 == "1" ? 28 : 32, serial: "0000", at: $0) }
    room.plug(twins[0], twins[1])
    for (twin, name) in zip(twins, ["Organ", "Piano"]) {
      for other in ["Piano", "Organ"] where other != name { room.disconnect(twin, from: other) }
      room.connect(twin, to: name)
    }
    #expect(room.connections == ["28:0 Organ", "32:0 Piano"])
    room.unplug(twins[0], twins[1])
    room.plug(.usb(28, serial: "0000", at: "2"), .usb(32, serial: "0000", at: "1"))
    #expect(room.connections == ["28:0 Piano", "32:0 Organ"])
  }

  @Test(arguments: ["0000", nil], [true, false])
  func `a new keyboard does not get the connections of an equal one`(
    serial: String?, wiredFirst: Bool
  ) {
    let twins = ["1", "2"].map { SequencerPort.usb($0 == "1" ? 28 : 32, serial: serial, at: $0) }
    room.plug(twins[0])
    if wiredFirst { room.disconnect(twins[0], from: "Piano") }
    room.plug(twins[1])
    if !wiredFirst { room.disconnect(twins[0], from: "Piano") }
    let later = WiredRoom("Organ", in: room.system)
    later.plug(twins[1], twins[0])
    #expect(later.connections == ["32:0 Organ"])
  }

  @Test(arguments: ["4711", nil])
  func `a keyboard at another socket is recognised if only one is missing`(serial: String?) {
    let keys = SequencerPort.usb(28, serial: serial, at: "1")
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    room.unplug(keys)
    room.plug(.usb(28, serial: serial, at: "2"))
    #expect(room.connections == [])
  }

  @Test func `a second equal keyboard does not get the connections of the present one`() {
    let keys = SequencerPort.usb(28, at: "1")
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    room.plug(.usb(32, at: "2"))
    #expect(room.connections == ["32:0 Piano"])
  }

  @Test func `of two missing keyboards neither is identified with a third`() {
    let twins = [SequencerPort.usb(28, at: "1"), .usb(32, at: "2")]
    room.plug(twins[0], twins[1])
    for twin in twins { room.disconnect(twin, from: "Piano") }
    room.unplug(twins[0], twins[1])
    room.plug(.usb(28, at: "3"))
    #expect(room.connections == ["28:0 Piano"])
  }

  @Test(arguments: ["0000", nil])
  func `a keyboard identified with another leaves that one's entry unchanged`(serial: String?) {
    let twins = ["1", "2"].map { SequencerPort.usb($0 == "1" ? 28 : 32, serial: serial, at: $0) }
    room.plug(twins[0], twins[1])
    for twin in twins { room.disconnect(twin, from: "Piano") }
    room.unplug(twins[1])
    let third = SequencerPort.usb(36, serial: serial, at: "3")
    room.plug(third)
    #expect(room.connections == [])
    room.plug(twins[1])
    #expect(room.connections == [])
  }

  @Test func `a keyboard with a unique serial number is remembered once for all sockets`() throws {
    for (socket, name) in [("1", "Organ"), ("2", "Piano"), ("3", "Organ")] {
      let keys = SequencerPort.usb(28, serial: "4711", at: socket)
      room.plug(keys)
      for port in ["Piano", "Organ"] { room.disconnect(keys, from: port) }
      room.connect(keys, to: name)
      room.unplug(keys)
    }
    room.plug(.usb(28, serial: "4711", at: "4"))
    #expect(room.connections == ["28:0 Organ"])
    #expect(try #require(wiringFile(room.system)).split(separator: "4711").count == 2)
  }

  @Test func `a built-in device is identified by its position only`() {
    func card(_ client: UInt8, _ path: String) -> SequencerPort {
      SequencerPort(
        address: PortAddress(client: client, port: 0), clientName: "MPU-401", name: "MPU-401",
        sends: true, receives: true, device: DeviceIdentity(path: path))
    }
    room.plug(card(20, "pci/1"))
    room.disconnect(card(20, "pci/1"), from: "Piano")
    room.unplug(card(20, "pci/1"))
    room.plug(card(20, "pci/2"))
    #expect(room.connections == ["20:0 Piano"])
  }

  @Test func `a built-in device may have several clients`() {
    func client(_ number: UInt8) -> SequencerPort {
      SequencerPort(
        address: PortAddress(client: number, port: 0), clientName: "MPU-401 \(number)", name: "MPU",
        sends: true, receives: true, device: DeviceIdentity(path: "pci/1"))
    }
    room.plug(client(20), client(21))
    room.disconnect(client(20), from: "Piano")
    room.unplug(client(20), client(21))
    room.plug(client(21), client(20))
    #expect(room.connections == ["21:0 Piano"])
  }
}
