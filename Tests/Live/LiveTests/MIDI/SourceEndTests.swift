import LiveMIDI
import RenderCore
import Testing

/// The end of a source of notes: a keyboard, a program, or the host or JACK client whose messages are in the cycle.
@Suite(.timeLimit(.minutes(5))) struct SourceEndTests {
  let input = LiveInput()

  private func control(_ controller: UInt8, _ value: UInt8) -> ChannelMessage {
    ChannelMessage(.controlChange, channel: 0, controller, value)
  }

  private func bend(_ coarse: UInt8) -> ChannelMessage {
    ChannelMessage(.pitchBend, channel: 0, 0, coarse)
  }

  private func send(_ message: ChannelMessage, from source: LiveInput.Source = keyboard) {
    #expect(input.send(.channel(message), from: source, at: 1))
  }

  /// A message that moves a wheel, a pedal or a key, and the one that brings it to rest.
  private var moves: [(move: ChannelMessage, rest: ChannelMessage)] {
    [
      (bend(127), bend(64)),
      (ChannelMessage(.channelPressure, channel: 0, 80), .init(.channelPressure, channel: 0, 0)),
      (ChannelMessage(.keyPressure, channel: 0, 60, 9), .init(.keyPressure, channel: 0, 60, 0)),
      (control(1, 90), control(1, 0)), (control(33, 5), control(33, 0)),
      (control(2, 90), control(2, 0)), (control(4, 90), control(4, 0)),
      (control(11, 0), control(11, 127)),
      (control(64, 127), control(64, 0)), (control(65, 127), control(65, 0)),
      (control(66, 127), control(66, 0)), (control(67, 127), control(67, 0)),
      (control(68, 127), control(68, 0)), (control(69, 127), control(69, 0)),
      (ChannelMessage(.noteOn, channel: 0, 61, 9), .init(.noteOff, channel: 0, 61, 64)),
    ]
  }

  private func bytes(_ message: ChannelMessage) -> [UInt8] {
    [message.status, message.data1, message.data2]
  }

  @Test
  func `notes end: keys, pedals, wheels and pressure of a source that is gone, on all channels`() {
    let player = Player(input)
    for (move, _) in moves { send(move) }
    send(ChannelMessage(.pitchBend, channel: 9, 1, 2))
    _ = player.played()
    input.end(keyboard, at: 2)
    let ends = moves.map { bytes($0.rest) } + [[0xE9, 0, 64]]
    #expect(Set(player.played()) == Set(ends))
    input.end(keyboard, at: 3)
    #expect(player.played().isEmpty)
  }

  @Test func `program, volume, pan and other settings of a source that is gone remain`() {
    let player = Player(input)
    for controller: UInt8 in [0, 5, 7, 10, 32, 71, 74, 91, 93] { send(control(controller, 90)) }
    send(ChannelMessage(.programChange, channel: 0, 19))
    _ = player.played()
    input.end(keyboard, at: 2)
    #expect(player.played().isEmpty)
  }

  @Test func `a wheel that is back at rest does not move when its keyboard is gone`() {
    let player = Player(input)
    for message in [bend(127), bend(64)] { send(message) }
    send(bend(0), from: otherKeyboard)
    _ = player.played()
    input.end(keyboard, at: 2)
    #expect(player.played().isEmpty)
  }

  @Test func `a wheel stays where another keyboard has moved it later`() {
    let player = Player(input)
    send(bend(127))
    send(bend(10), from: otherKeyboard)
    _ = player.played()
    input.end(keyboard, at: 2)
    #expect(player.played().isEmpty)
    input.end(otherKeyboard, at: 3)
    #expect(player.played() == [[0xE0, 0, 64]])
  }

  @Test func `a wheel returns to where another keyboard has moved it before`() {
    let player = Player(input)
    for (move, _) in moves.dropFirst(3).prefix(5) { send(move, from: otherKeyboard) }
    for controller: UInt8 in [1, 33, 2, 4, 11] { send(control(controller, 33)) }
    _ = player.played()
    input.end(keyboard, at: 2)
    #expect(Set(player.played()) == Set(moves.dropFirst(3).prefix(5).map { bytes($0.move) }))
  }

  @Test func `a reset of all controllers by one source leaves nothing to return to`() {
    let player = Player(input)
    send(bend(127), from: otherKeyboard)
    send(bend(10))
    send(control(121, 0), from: otherKeyboard)
    _ = player.played()
    input.end(keyboard, at: 2)
    #expect(player.played().isEmpty)
  }

  @Test func `notes end: the messages of a device or host that is gone, and no keyboard's`() {
    let player = Player(input)
    send(ChannelMessage(.noteOn, channel: 0, 60, 100))
    send(ChannelMessage(.noteOn, channel: 0, 61, 100))
    send(control(64, 127))
    send(control(1, 20))
    _ = player.played()
    var host = [60, 62].map { ChannelMessage(.noteOn, channel: 0, $0, 100) }
    host += [control(64, 127), control(67, 127), control(1, 99), bend(127)]
    _ = player.played(host)
    let again = ChannelMessage(.noteOn, channel: 0, 64, 100)
    #expect(
      player.played([again], hasSourceEnded: true) == [
        [0x80, 62, 64], [0xB0, 67, 0], [0xE0, 0, 64], [0xB0, 1, 20], [0x90, 64, 100],
      ])
    #expect(player.played(hasSourceEnded: true) == [[0x80, 64, 64]])
    input.end(keyboard, at: 2)
    #expect(player.played().count == 4)
  }

  @Test func `a program of this process ends like a keyboard`() {
    let player = Player(input)
    let page = LiveInput.Source(LiveInput.Source.programs.lowerBound)
    input.connect(page, named: "Panel")
    send(ChannelMessage(.noteOn, channel: 0, 60, 100), from: page)
    send(bend(127), from: page)
    _ = player.played()
    input.disconnect(page, at: 2)
    #expect(player.played() == [[0x80, 60, 64], [0xE0, 0, 64]])
  }

  @Test func `a wheel that was moved before the device opened ends with its keyboard`() {
    input.sourceNames = ["Keys", "Pads"]
    send(bend(127), from: otherKeyboard)
    send(control(7, 90), from: otherKeyboard)
    let player = Player(input)
    #expect(player.played() == [[0xB0, 7, 90], [0xE0, 0, 127]])
    input.end(otherKeyboard, at: 2)
    #expect(player.played() == [[0xE0, 0, 64]])
    player.end()
    let next = Player(input)
    #expect(next.played() == [[0xB0, 7, 90]])
  }

  @Test func `a wheel that is up while a host has the port is up on the device afterwards`() {
    let player = Player(input)
    send(bend(127))
    let host = Player(input, as: .host)
    #expect(player.played() == [[0xE0, 0, 127], [0xE0, 0, 64]])
    host.end()
    #expect(player.played() == [[0xE0, 0, 127]])
    input.end(keyboard, at: 2)
    #expect(player.played() == [[0xE0, 0, 64]])
  }

  // The sounds of zones.

  private func received(_ fifo: InputFIFO) -> [[UInt8]] {
    let reader = fifo.reader
    return reader.takeAll().map { [UInt8($0.number >> 8 & 0xFF)] + $0.status }
  }

  private func zone(_ sound: UInt8) -> Zone {
    var zone = Zone()
    zone.sound = sound
    return zone
  }

  @Test func `notes end: wheels and pressure on each sound of zones`() {
    let fifo = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1), zone(2)])
    for (move, _) in moves { send(move) }
    _ = received(fifo)
    input.end(keyboard, at: 2)
    let ends = moves.filter { $0.move.kind != .keyPressure }.map { bytes($0.rest) }
    #expect(
      Set(received(fifo)) == Set(ends.flatMap { [[1] + $0, [2] + $0] }))
  }

  @Test func `the sounds of later zones do not receive what a keyboard that is gone has set`() {
    let fifo = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setName("Keys", of: keyboard)
    input.setZones([zone(1)])
    send(bend(127))
    send(control(7, 20))
    input.end(keyboard, at: 2)
    _ = received(fifo)
    input.setZones([zone(2)])
    #expect(received(fifo).isEmpty)
  }

  @Test func `the sounds of later zones do not receive the wheel of a keyboard that fell silent`() {
    let fifo = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1)])
    send(bend(127))
    send(control(7, 20))
    input.release(keyboard, at: 2)
    _ = received(fifo)
    input.setZones([zone(2)])
    #expect(received(fifo) == [[2, 0xB0, 7, 20]])
  }

  @Test func `a keyboard that ends without room for its sounds ends as soon as there is some`() {
    let fifo = InputFIFO()
    input.add(fifo, as: .device, at: 0)
    input.setZones([zone(1)])
    send(bend(127))
    send(ChannelMessage(.noteOn, channel: 0, 60, 100))
    while input.send(.system(.clock), from: otherKeyboard, at: 1) {}
    input.end(keyboard, at: 2)
    _ = received(fifo)
    input.send(.system(.clock), from: otherKeyboard, at: 3)
    #expect(received(fifo) == [[1, 0x80, 60, 64], [1, 0xE0, 0, 64], [1, 0xF8, 0, 0]])
  }
}
