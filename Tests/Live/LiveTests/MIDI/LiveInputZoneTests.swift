import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LiveInputZoneTests {
  let input = LiveInput()
  let fifo = InputFIFO()

  private func zone(_ sound: UInt8, keys: ClosedRange<UInt8> = 0...127) -> Zone {
    var zone = Zone()
    zone.sound = sound
    zone.keys = keys
    return zone
  }

  /// Returns the sound and the bytes of each event in the FIFO.
  private func received() -> [[UInt8]] {
    let reader = fifo.reader
    return reader.takeAll().map { [UInt8($0.number >> 8 & 0xFF)] + $0.status }
  }

  @Test func `without zones, nothing has a sound of its own`() {
    input.add(fifo, as: .device, at: 0)
    input.setZones(nil)
    input.send(on(60), from: keyboard, at: 1)
    #expect(received() == [[0, 0x90, 60, 100]])
  }

  @Test func `a device that begins plays what is held by the zones of now`() {
    input.setZones([zone(1, keys: 0...63), zone(2, keys: 64...127)])
    for key: UInt8 in [60, 62, 70] { input.send(on(key), from: keyboard, at: 1) }
    input.send(off(62), from: keyboard, at: 2)
    input.setZones([zone(3, keys: 0...63), zone(4, keys: 64...127)])
    input.add(fifo, as: .device, at: 3)
    #expect(received() == [[3, 0x90, 60, 100], [4, 0x90, 70, 100]])
    input.send(off(60), from: keyboard, at: 4)
    input.send(off(70), from: keyboard, at: 4)
    #expect(received() == [[3, 0x80, 60, 64], [4, 0x80, 70, 64]])
  }

  @Test func `a device that begins does not strike a held note of a module again`() {
    let module = RecordedModule()
    let outputs: [UInt8: ZoneOutput] = [1: ZoneOutput(module)]
    input.setZones([zone(1), zone(2)], outputs: outputs)
    input.send(on(60), from: keyboard, at: 1)
    #expect(module.take() == [on(60)])
    input.add(fifo, as: .device, at: 2)
    #expect(module.take().isEmpty)
    #expect(received() == [[2, 0x90, 60, 100]])
    input.send(off(60), from: keyboard, at: 3)
    #expect(module.take() == [off(60)])
    #expect(received() == [[2, 0x80, 60, 64]])
  }

  @Test func `a disconnected keyboard releases what it holds on every sound`() {
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1)
    input.send(pedal(127), from: keyboard, at: 1)
    input.setZones([zone(2)])
    input.send(on(62), from: keyboard, at: 2)
    input.send(on(70), from: otherKeyboard, at: 2)
    _ = received()
    input.release(keyboard, at: 3)
    #expect(Set(received()) == [[1, 0x80, 60, 64], [1, 0xB0, 64, 0], [2, 0x80, 62, 64]])
    input.release(otherKeyboard, at: 3)
    #expect(received() == [[2, 0x80, 70, 64]])
  }

  @Test func `a key of a sound that two keyboards hold ends with the second`() {
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1)])
    for source in [keyboard, otherKeyboard] { input.send(on(60), from: source, at: 1) }
    #expect(received().count == 2)
    input.send(off(60), from: keyboard, at: 2)
    #expect(received().isEmpty)
    input.send(off(60), from: otherKeyboard, at: 3)
    #expect(received() == [[1, 0x80, 60, 64]])
  }

  @Test func `a note of a common origin is played once by a sound`() {
    input.add(fifo, as: .device, at: 0)
    input.setRelations([keyboard: [otherKeyboard], otherKeyboard: [keyboard]])
    input.setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1_000_000)
    input.send(on(60), from: otherKeyboard, at: 3_900_000)
    #expect(received().count == 1)
    input.send(on(61), from: keyboard, at: 10_000_000)
    input.send(on(61), from: otherKeyboard, at: 13_100_000)
    #expect(received().count == 2)
  }

  @Test func `keys and pedals that are down when zones begin end where they began`() {
    input.add(fifo, as: .device, at: 0)
    input.send(on(60), from: keyboard, at: 1)
    input.send(pedal(127), from: keyboard, at: 1)
    _ = received()
    input.setZones([zone(1)])
    #expect(received().isEmpty)
    input.send(on(62), from: keyboard, at: 2)
    input.send(off(60), from: keyboard, at: 3)
    input.send(pedal(0), from: keyboard, at: 4)
    #expect(
      received() == [
        [1, 0x90, 62, 100], [0, 0x80, 60, 64], [1, 0xB0, 64, 0], [0, 0xB0, 64, 0],
      ])
    input.release(keyboard, at: 5)
    #expect(received() == [[0] + sourceEnd, [1, 0x80, 62, 64]])
  }

  @Test func `a keyboard that is unplugged after zones have begun releases what it held before`() {
    input.add(fifo, as: .device, at: 0)
    input.send(on(60), from: keyboard, at: 1)
    input.setZones([zone(1)])
    _ = received()
    input.release(keyboard, at: 2)
    #expect(received() == [[0] + sourceEnd])
  }

  @Test func `controllers that were moved before zones begin apply to their sounds`() {
    input.add(fifo, as: .device, at: 0)
    input.setName("Keys", of: keyboard)
    input.send(.channel(ChannelMessage(.controlChange, channel: 0, 7, 40)), from: keyboard, at: 1)
    _ = received()
    input.setZones([zone(1)])
    #expect(received() == [[1, 0xB0, 7, 40]])
    // The port's own unit has it already.
    input.setZones([zone(0)])
    #expect(received().isEmpty)
  }

  private func received(_ host: InputFIFO) -> [[UInt8]] {
    let reader = host.reader
    return reader.takeAll().map { [UInt8($0.number >> 8 & 0xFF)] + $0.status }
  }

  @Test
  func
    `zones apply while a host has the port: their sounds on the device, the port's own in the host`()
  {
    let host = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.add(host, as: .host, at: 0)
    input.setZones([zone(1, keys: 60...127), zone(0, keys: 0...49)])
    for key: UInt8 in [40, 55, 60] { input.send(on(key), from: keyboard, at: 1) }
    #expect(received(host) == [[0, 0x90, 40, 100]])
    #expect(received() == [[1, 0x90, 60, 100]])
    // The next scene acts from the next message on.
    input.setZones([zone(2)])
    input.send(on(61), from: keyboard, at: 2)
    for key: UInt8 in [40, 60] { input.send(off(key), from: keyboard, at: 3) }
    #expect(received(host) == [[0, 0x80, 40, 64]])
    #expect(received() == [[2, 0x90, 61, 100], [1, 0x80, 60, 64]])
    input.end(keyboard, at: 4)
    #expect(received() == [[2, 0x80, 61, 64]])
  }

  @Test func `what is held on the sounds of zones goes on when a host takes the port or leaves it`()
  {
    let host = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1, keys: 60...127), zone(0, keys: 0...59)])
    for content in [on(40), on(60)] { input.send(content, from: keyboard, at: 1) }
    _ = received()
    input.add(host, as: .host, at: 2)
    #expect(received() == [[0] + sourceEnd])
    input.send(on(41), from: keyboard, at: 3)
    input.remove(host, at: 4)
    #expect(received(host) == [[0, 0x90, 41, 100], [0] + sourceEnd])
    for key: UInt8 in [40, 41, 60] { input.send(off(key), from: keyboard, at: 5) }
    #expect(received() == [[1, 0x80, 60, 64]])
  }

  @Test func `a wheel is where it was for zones of the port's own unit after a host has left`() {
    let host = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(0), zone(1)])
    let bend = ChannelMessage(.pitchBend, channel: 0, 0, 127)
    input.send(.channel(bend), from: keyboard, at: 1)
    _ = received()
    input.add(host, as: .host, at: 2)
    #expect(received() == [[0] + sourceEnd])
    input.remove(host, at: 3)
    #expect(received() == [[0, 0xE0, 0, 127]])
  }

  @Test
  func
    `sounds of zones on a device that opens while a host has the port are at the wheel's position`()
  {
    let host = InputFIFO()
    input.add(host, as: .host, at: 0)
    input.setZones([zone(1)])
    input.send(
      .channel(ChannelMessage(.pitchBend, channel: 0, 0, 127)), from: keyboard, at: 1)
    input.add(fifo, as: .device, at: 2)
    #expect(received() == [[1, 0xE0, 0, 127]])
    #expect(received(host).isEmpty)
    input.send(on(60), from: keyboard, at: 3)
    let next = InputFIFO()
    input.add(next, as: .device, at: 4)
    #expect(received() == [[1, 0x90, 60, 100], [1, 0x80, 60, 64], [1, 0xE0, 0, 64]])
    #expect(received(next) == [[1, 0xE0, 0, 127]])
  }

  @Test func `a refused note-off of a sound is sent as soon as there is room`() {
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1)])
    var sent = 0
    while input.send(on(UInt8(1 + sent % 100)), from: keyboard, at: 1) { sent += 1 }
    #expect(!input.send(off(1), from: keyboard, at: 2))
    _ = received()
    input.send(on(120), from: otherKeyboard, at: 3)
    let messages = received()
    #expect(messages.last == [1, 0x90, 120, 100])
    #expect(Set(messages.dropLast().map { $0[2] }) == Set(1...100))
    #expect(messages.dropLast().allSatisfy { $0[1] == 0x80 && $0[0] == 1 })
  }

  @Test func `System Exclusive goes to each sound of the zones once`() {
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1, keys: 0...59), zone(2), zone(2, keys: 60...127)])
    input.send(.sysEx([1, 2]), from: keyboard, at: 1)
    #expect(received().map { $0[0] }.sorted() == [1, 2])
  }

  @Test func `silence ends the notes of all sounds`() {
    input.add(fifo, as: .device, at: 0)
    input.zoneUnits = [1: EmptyUnit()]
    input.setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1)
    _ = received()
    input.silence(at: 2)
    let messages = received()
    #expect(messages.first == [1, 0x80, 60, 64])
    #expect(messages.filter { $0[2] == 120 && $0[0] == 1 }.count == 16)
    #expect(messages.filter { $0[2] == 120 && $0[0] == 0 }.count == 16)
  }
}

/// Zones that modules play.
@Suite(.timeLimit(.minutes(5))) struct LiveInputOutputTests {
  let input = LiveInput()
  let module = RecordedModule()

  private func zone(_ sound: UInt8, keys: ClosedRange<UInt8> = 0...127) -> Zone {
    var zone = Zone()
    zone.sound = sound
    zone.keys = keys
    return zone
  }

  private func setZones(_ zones: [Zone], channel: UInt8? = 2) {
    input.setZones(zones, outputs: [1: ZoneOutput(module, channel: channel)])
  }

  @Test func `a module plays its zone on its channel, with and without a sound device`() {
    setZones([zone(1, keys: 0...59)])
    for key: UInt8 in [40, 60] { input.send(on(key), from: keyboard, at: 1) }
    #expect(module.takeBytes() == [[0x92, 40, 100]])
    let fifo = InputFIFO()
    input.add(fifo, as: .device, at: 2)
    input.send(off(40), from: keyboard, at: 3)
    input.send(on(41), from: keyboard, at: 3)
    #expect(module.takeBytes() == [[0x82, 40, 64], [0x92, 41, 100]])
    #expect(fifo.reader.takeAll().isEmpty)
    // What the module holds goes on without the device.
    input.remove(fifo, at: 4)
    #expect(module.takeBytes() == [])
    input.send(off(41), from: keyboard, at: 5)
    #expect(module.takeBytes() == [[0x82, 41, 64]])
  }

  @Test func `a module plays on the channel of the keyboard if the zone has none`() {
    setZones([zone(1)], channel: nil)
    let message = ChannelMessage(.noteOn, channel: 7, 60, 1)
    input.send(.channel(message), from: keyboard, at: 1)
    #expect(module.takeBytes() == [[0x97, 60, 1]])
  }

  @Test
  func `notes, pedals and wheels of a module end with their keyboard, also in the next scene`() {
    setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1)
    input.send(pedal(127), from: keyboard, at: 1)
    let bend = ChannelMessage(.pitchBend, channel: 0, 0, 127)
    input.send(.channel(bend), from: keyboard, at: 1)
    input.send(on(62), from: otherKeyboard, at: 1)
    _ = module.takeBytes()
    input.setZones([zone(0)])
    input.send(on(64), from: keyboard, at: 2)
    #expect(module.takeBytes() == [])
    input.end(keyboard, at: 3)
    #expect(Set(module.takeBytes()) == [[0x82, 60, 64], [0xB2, 64, 0], [0xE2, 0, 64]])
    input.end(otherKeyboard, at: 4)
    #expect(module.takeBytes() == [[0x82, 62, 64]])
  }

  @Test func `a key of a module that two keyboards hold ends with the second`() {
    setZones([zone(1)])
    for source in [keyboard, otherKeyboard] { input.send(on(60), from: source, at: 1) }
    _ = module.takeBytes()
    input.send(off(60), from: keyboard, at: 2)
    #expect(module.takeBytes() == [])
    input.send(off(60), from: otherKeyboard, at: 3)
    #expect(module.takeBytes() == [[0x82, 60, 64]])
  }

  @Test func `silence ends the notes of a module`() {
    setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1)
    _ = module.takeBytes()
    input.silence(at: 2)
    #expect(module.takeBytes() == [[0x82, 60, 64], [0xB2, 120, 0], [0xB2, 123, 0]])
  }

  @Test func `a sound that becomes a unit's is not sent to the module any more`() {
    setZones([zone(1)])
    input.setZones([zone(1)])
    input.send(on(60), from: keyboard, at: 1)
    #expect(module.takeBytes() == [])
  }

  @Test func `System Exclusive and clock go to the module`() {
    setZones([zone(1)])
    input.send(.sysEx([0x7E, 1]), from: keyboard, at: 1)
    input.send(.system(.clock), from: keyboard, at: 2)
    #expect(module.take() == [.sysEx([0x7E, 1]), .system(.clock)])
  }
}

/// A unit that is never rendered.
private final class EmptyUnit: RenderUnit {
  var renderer: Renderer { preconditionFailure("it is not rendered") }
}
