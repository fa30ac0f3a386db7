import Glibc
import RenderCore
import Testing

@testable import ALSA

/// Tests with emulated keyboards and the kernel's driver for USB MIDI.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(
    if: Rig.hasKeyboards, "needs dummy_hcd with two sockets, as root, in real time: make test-alsa"),
  .serialized)
struct KeyboardTests {
  let sequencer: ALSASequencer
  var watch: PortWatch

  init() throws {
    sequencer = try ALSASequencer(clientName: "Keyboard tests")
    watch = try PortWatch(sequencer)
    _ = try watch.rescan()
  }

  @Test
  mutating func
    `it appears by its name, disappears when unplugged, and returns with the same name`() throws
  {
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Test Keys", serial: "4711")
    try keyboard.plug()
    let port = try appearance(of: "Test Keys")
    #expect(port.sends)
    #expect(port.receives)
    #expect(
      port.device
        == DeviceIdentity(product: "1d6b:0104", serial: "4711", path: "usb-dummy_hcd.0-1"))
    try keyboard.unplug()
    #expect(try change { $0 == .vanished(port) } == .vanished(port))
    try keyboard.plug()
    let again = try appearance(of: "Test Keys")
    #expect(again.device == port.device)
    #expect(again.name == port.name)
  }

  @Test mutating func `two equal keyboards are distinguished`() throws {
    let keyboards = try [0, 1].map { try EmulatedKeyboard(socket: $0, name: "Twin") }
    try keyboards[0].plug()
    let first = try appearance(of: "Twin")
    try keyboards[1].plug()
    let second = try appearance(of: "Twin")
    #expect(first.name == second.name)
    #expect(first.device?.serial == nil)
    #expect(first.device != second.device)
    try keyboards[0].unplug()
    #expect(try change { $0 == .vanished(first) } == .vanished(first))
  }

  @Test mutating func `its notes arrive in order, with the kernel's time`() throws {
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Test Keys")
    try keyboard.plug()
    let port = try appearance(of: "Test Keys")
    try sequencer.connect(port.address, to: sequencer.addPort(named: "Ear"))
    try keyboard.send("90 3C 64  B0 40 7F  E0 01 60  80 3C 05")
    var events: [SequencerEvent] = []
    while events.count < 4 {
      events.append(try wait { try nextMessage() })
    }
    #expect(
      events.map(\.content) == [
        .messages([ChannelMessage(.noteOn, channel: 0, 60, 100)]),
        .messages([ChannelMessage(.controlChange, channel: 0, 64, 127)]),
        .messages([ChannelMessage(.pitchBend, channel: 0, 1, 96)]),
        .messages([ChannelMessage(.noteOff, channel: 0, 60, 5)]),
      ])
    #expect(events.allSatisfy { $0.source == port.address })
    #expect(events.allSatisfy { $0.time ?? 0 > 0 })
  }

  private func nextMessage() throws -> SequencerEvent? {
    while let event = try sequencer.nextEvent() {
      if case .messages = event.content { return event }
    }
    return nil
  }

  private mutating func appearance(of name: String) throws -> SequencerPort {
    let change = try change { change in
      if case .appeared(let port) = change { port.clientName == name } else { false }
    }
    guard case .appeared(let port) = change else { throw TimeoutError() }
    return port
  }

  private mutating func change(
    _ isWanted: (PortChange) -> Bool
  ) throws -> PortChange {
    try wait {
      while let event = try sequencer.nextEvent() {
        if let change = try watch.handle(event).first(where: isWanted) { return change }
      }
      return nil
    }
  }
}
