import LiveMIDI
import RenderCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct LiveInputTests {
  let input = LiveInput()
  let fifo = InputFIFO()

  @Test func `without a listener, a key that is struck and released is not stored`() {
    #expect(input.send(on(60), from: keyboard, at: 0))
    #expect(input.send(off(60), from: keyboard, at: 0))
    input.add(fifo, as: .device, at: 0)
    let reader = fifo.reader
    #expect(reader.takeAll().isEmpty)
  }

  @Test func `a device that begins plays the keys and pedals that are held, as they were struck`() {
    for content in [on(60), on(62), pedal(127), off(62)] {
      input.send(content, from: keyboard, at: 0)
    }
    input.add(fifo, as: .device, at: 5)
    let reader = fifo.reader
    #expect(reader.takeAll().map(\.status) == [[0xB0, 64, 127], [0x90, 60, 100]])
    input.send(off(60), from: keyboard, at: 6)
    #expect(reader.takeAll().map(\.status) == [[0x80, 60, 64]])
  }

  @Test func `a device that is restarted plays what is still held`() {
    input.add(fifo, as: .device, at: 0)
    for content in [on(60), on(62)] { input.send(content, from: keyboard, at: 1) }
    input.remove(fifo, at: 2)
    input.send(off(62), from: keyboard, at: 3)
    let next = InputFIFO()
    input.add(next, as: .device, at: 4)
    let reader = next.reader
    #expect(reader.takeAll().map(\.status) == [[0x90, 60, 100]])
  }

  @Test func `a released source holds nothing when a device begins`() {
    input.send(on(60), from: keyboard, at: 0)
    input.release(keyboard, at: 1)
    input.add(fifo, as: .device, at: 2)
    let reader = fifo.reader
    #expect(reader.takeAll().isEmpty)
  }

  @Test func `a host plays no keys that were struck before it`() {
    input.send(on(60), from: keyboard, at: 0)
    input.add(fifo, as: .host, at: 1)
    let reader = fifo.reader
    #expect(reader.takeAll().isEmpty)
    // And the device does not begin them when the host is gone.
    let device = InputFIFO()
    input.remove(fifo, at: 2)
    input.add(device, as: .device, at: 3)
    let deviceReader = device.reader
    #expect(deviceReader.takeAll().isEmpty)
  }

  @Test func `a released source releases its own keys and pedals`() {
    let player = Player(input)
    for content in [on(60), pedal(127), on(62)] { input.send(content, from: keyboard, at: 1) }
    input.send(on(70), from: otherKeyboard, at: 1)
    _ = player.played()
    input.release(keyboard, at: 2)
    #expect(player.played() == [[0x80, 60, 64], [0x80, 62, 64], [0xB0, 64, 0]])
    input.release(keyboard, at: 3)
    #expect(player.played().isEmpty)
  }

  @Test func `silence ends all notes and releases the keys and pedals of all sources`() {
    let player = Player(input)
    for content in [on(60), pedal(127)] { input.send(content, from: keyboard, at: 1) }
    input.send(on(70), from: otherKeyboard, at: 1)
    _ = player.played()
    input.silence(at: 2)
    let messages = player.played()
    let soundOff = (UInt8(0)..<16).map { [0xB0 + $0, 120, 0] }
    #expect(Set(messages.dropLast(16)) == [[0x80, 60, 64], [0xB0, 64, 0], [0x80, 70, 64]])
    #expect(messages.suffix(16) == soundOff[...])
    input.release(keyboard, at: 3)
    #expect(player.played().isEmpty)
  }

  @Test func `a host receives events first, and the device again when the host is gone`() {
    let (device, host) = (fifo, InputFIFO())
    input.add(device, as: .device, at: 0)
    #expect(!input.isHosted)
    input.add(host, as: .host, at: 0)
    #expect(input.isHosted)
    let (deviceReader, hostReader) = (device.reader, host.reader)
    input.send(on(60), from: keyboard, at: 0)
    #expect(hostReader.takeAll().count == 1)
    #expect(deviceReader.takeAll().isEmpty)
    input.remove(host, at: 0)
    input.send(on(61), from: keyboard, at: 0)
    #expect(deviceReader.takeAll().count == 1)
  }

  @Test func `of several hosts, the first receives the events, and the next when it is gone`() {
    let (first, second) = (InputFIFO(), InputFIFO())
    for host in [first, second] { input.add(host, as: .host, at: 0) }
    let (firstReader, secondReader) = (first.reader, second.reader)
    input.send(on(60), from: keyboard, at: 1)
    #expect(firstReader.takeAll().map(\.status) == [[0x90, 60, 100]])
    input.remove(first, at: 2)
    #expect(firstReader.takeAll().map(\.status) == [sourceEnd], "the held key is released")
    #expect(input.isHosted)
    input.send(on(61), from: keyboard, at: 3)
    #expect(secondReader.takeAll().map(\.status) == [[0x90, 61, 100]])
    #expect(firstReader.takeAll().isEmpty)
    input.remove(second, at: 4)
    #expect(!input.isHosted)
  }

  @Test func `the end of a host that does not receive the events releases no keys`() {
    let (first, second) = (InputFIFO(), InputFIFO())
    for host in [first, second] { input.add(host, as: .host, at: 0) }
    let reader = first.reader
    input.send(on(60), from: keyboard, at: 1)
    _ = reader.takeAll()
    input.remove(second, at: 2)
    #expect(reader.takeAll().isEmpty)
    input.send(off(60), from: keyboard, at: 3)
    #expect(reader.takeAll().count == 1)
  }

  @Test func `a new listener receives the releases of held keys`() {
    input.add(fifo, as: .device, at: 0)
    input.send(on(60), from: keyboard, at: 0)
    let reader = fifo.reader
    _ = reader.takeAll()
    let host = InputFIFO()
    input.add(host, as: .host, at: 5)
    #expect(reader.takeAll().map(\.status) == [sourceEnd])
    input.remove(host, at: 6)
    #expect(reader.takeAll().isEmpty)
  }

  @Test func `a new instrument of the device receives earlier programs and controllers`() {
    input.sourceNames = ["Keys"]
    let (organ, volume) = (
      ChannelMessage(.programChange, channel: 0, 19),
      ChannelMessage(.controlChange, channel: 0, 7, 90)
    )
    for message in [organ, volume] { input.send(.channel(message), from: keyboard, at: 0) }
    input.add(fifo, as: .device, at: 5)
    let reader = fifo.reader
    #expect(reader.takeAll().map(\.status) == [[0xC0, 19, 0], [0xB0, 7, 90]])
    let host = InputFIFO()
    input.add(host, as: .host, at: 6)
    let hostReader = host.reader
    #expect(hostReader.takeAll().isEmpty, "a host finds its instrument fresh")
    input.sourceNames = []
    input.remove(host, at: 7)
    #expect(reader.takeAll().isEmpty, "nothing is connected any more")
  }

  @Test func `a new instrument of the device receives earlier System Exclusive settings`() {
    input.sourceNames = ["Keys"]
    let drums: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10]
    input.send(.sysEx(drums), from: keyboard, at: 0)
    input.add(fifo, as: .device, at: 5)
    let reader = fifo.reader
    var received: [[UInt8]] = []
    while let (event, bytes) = reader.next() {
      if case .sysEx = event.content, !bytes.isEmpty { received.append(bytes) }
    }
    let reset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
    #expect(received == [reset, drums])
  }

  @Test func `a refused note-off is sent as soon as there is room`() {
    input.add(fifo, as: .device, at: 0)
    input.send(on(60), from: keyboard, at: 0)
    while input.send(on(1), from: otherKeyboard, at: 0) {}
    #expect(!input.send(off(60), from: keyboard, at: 0))
    #expect(input.refused == 2)
    let reader = fifo.reader
    _ = reader.takeAll()
    #expect(input.send(on(90), from: keyboard, at: 9))
    let statuses = reader.takeAll().map(\.status)
    #expect(statuses.dropLast() == [sourceEnd, sourceEnd])
    #expect(statuses.last == [0x90, 90, 100])
  }

  @Test func `a source released without room in the FIFO is released later`() {
    input.add(fifo, as: .device, at: 0)
    input.send(on(60), from: keyboard, at: 0)
    while input.send(.system(.clock), from: otherKeyboard, at: 0) {}
    input.release(keyboard, at: 1)
    let reader = fifo.reader
    _ = reader.takeAll()
    input.send(.system(.clock), from: otherKeyboard, at: 2)
    #expect(reader.takeAll().map(\.status) == [sourceEnd, sourceEnd, [0xF8, 0, 0]])
  }

  @Test func `connecting the first and disconnecting the last source are reported`() {
    let changes = Mutex<[Bool]>([])
    input.onChange { [input] in changes.withLock { $0.append(!input.sourceNames.isEmpty) } }
    input.sourceNames = ["Keys"]
    input.sourceNames = []
    #expect(changes.withLock { $0 } == [true, false])
  }
}
