import ALSA
import TestSupport
import Testing

/// Tests of two servers, as in two processes, that share one file.
@Suite(.timeLimit(.minutes(5))) struct SeveralServersTests {
  let system = TemporarySystem()
  let first: WiredRoom
  let second: WiredRoom
  let keys = SequencerPort.usb(28, at: "1")

  init() {
    first = WiredRoom("Piano", in: system)
    second = WiredRoom("Organ", in: system, client: 129)
    first.plug(portative(129, "Organ"))
    second.plug(portative(128, "Piano"))
  }

  @Test func `a keyboard plays the server that was started first`() {
    first.plug(keys)
    second.plug(keys)
    #expect(first.connections == ["28:0 Piano"])
    #expect(second.connections == [])
  }

  @Test func `the second server gets the keyboard when the first ends, and returns it`() {
    second.plug(keys)
    second.unplug(portative(128, "Piano"))
    #expect(second.connections == ["28:0 Organ"])
    second.plug(portative(128, "Piano"))
    #expect(second.connections == [])
  }

  @Test func `a connection to one server is remembered by both, and kept by each`() {
    first.plug(keys)
    second.plug(keys)
    second.connect(keys, to: "Organ")
    first.connect(keys, to: PortAddress(client: 129, port: 0))
    #expect(Set(first.connections) == ["28:0 Piano", "28:0 another's"])
    for room in [first, second] {
      room.unplug(keys)
      room.plug(keys)
    }
    #expect(first.connections == ["28:0 Piano"])
    #expect(second.connections == ["28:0 Organ"])
  }

  @Test func `an entry that one server removes stays at the other`() {
    first.plug(keys)
    second.plug(keys)
    second.connect(keys, to: "Organ")
    first.disconnect(keys, from: "Piano")
    for room in [first, second] {
      room.unplug(keys)
      room.plug(keys)
    }
    #expect(first.connections == [])
    #expect(second.connections == ["28:0 Organ"])
  }
}

private func portative(_ client: UInt8, _ name: String) -> SequencerPort {
  .program(client, "Portative", named: name, sends: false)
}
