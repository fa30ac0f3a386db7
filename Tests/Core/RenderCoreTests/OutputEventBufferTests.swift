import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutputEventBufferTests {
  @Test func `events are ordered by offset, and by the order of sending at one offset`() {
    let sent = Sent()
    for (offset, key) in [(9, 1), (3, 2), (9, 3), (3, 4), (0, 5), (63, 6), (0, 7)] {
      #expect(sent.write([0x90, UInt8(key), 1], at: offset))
    }
    #expect(sent.taken.map(\.offset) == [0, 0, 3, 3, 9, 9, 63])
    #expect(sent.taken.map { $0.bytes[1] } == [5, 7, 2, 4, 1, 3, 6])
  }

  @Test(arguments: [1, 2, 3, 64, 100, 1000, 4096])
  func `any number of events in any order is sorted stably`(
    count: Int
  ) {
    let sent = Sent()
    var random = Seeded(UInt64(count))
    var model: [(offset: Int, key: UInt8)] = []
    for i in 0..<count {
      let offset = Int.random(in: 0..<20, using: &random)
      model.append((offset, UInt8(i & 127)))
      #expect(sent.write([0x90, UInt8(i & 127), 1], at: offset))
    }
    let expected = model.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }
    #expect(sent.taken.map(\.offset) == expected.map(\.element.offset))
    #expect(sent.taken.map { $0.bytes[1] } == expected.map(\.element.key))
  }

  @Test(arguments: [(-1, 0), (.min, 0), (64, 63), (.max, 63)])
  func `an offset outside the cycle is clamped to it`(offset: Int, expected: Int) {
    let sent = Sent()
    #expect(sent.write([0x90, 1, 1], at: offset))
    #expect(sent.taken.map(\.offset) == [expected])
  }

  @Test func `messages of every kind are unchanged`() {
    let sent = Sent()
    let messages: [[UInt8]] = [
      [0xF0, 0xF7], [0xE5, 0, 127], [0xF0] + (0..<100).map { $0 } + [0xF7], [0xF8, 0, 0],
      [0xF2, 1, 2], [0xF0] + [UInt8](repeating: 127, count: 16) + [0xF7], [0xC3, 9, 0],
    ]
    for message in messages { #expect(sent.write(message, at: 5)) }
    #expect(sent.taken.map(\.bytes) == messages)
  }

  @Test func `the bytes are copied before the call returns`() {
    let sent = Sent()
    var bytes: [UInt8] = [1, 2, 3]
    #expect(bytes.withUnsafeBufferPointer { sent.output.write(sysEx: $0, at: 0) })
    bytes = [4, 4, 4]
    #expect(sent.taken.map(\.bytes) == [[0xF0, 1, 2, 3, 0xF7]])
  }

  @Test func `every System Exclusive message begins a slot and occupies whole slots`() {
    let sent = Sent(room: 10)
    #expect(sent.write([0xF0, 1, 0xF7], at: 0))
    #expect(sent.write([0xF0] + [UInt8](repeating: 2, count: 17) + [0xF7], at: 0))
    #expect(sent.starts == [0, 16])
    // Five of ten slots are left.
    #expect(!sent.write([0xF0] + [UInt8](repeating: 3, count: 65) + [0xF7], at: 0))
    #expect(sent.write([0xF0] + [UInt8](repeating: 3, count: 64) + [0xF7], at: 0))
    #expect(!sent.write([0xF0, 0xF7], at: 0))
    #expect(sent.refused == 2)
  }

  @Test(arguments: [0, 1, 5, 4096, 5000])
  func `an event without room is refused and counted, and earlier events stay`(room: Int) {
    let sent = Sent(room: room)
    for i in 0..<5000 {
      #expect(sent.write([0x90, UInt8(i & 127), 1], at: 0) == (i < min(room, 4096)))
    }
    #expect(sent.taken.map { $0.bytes[1] } == (0..<min(room, 4096)).map { UInt8($0 & 127) })
    #expect(sent.refused == 5000 - min(room, 4096))
    sent.begin(room: 1)
    #expect(sent.taken.isEmpty)
    #expect(sent.write([0x80, 1, 0], at: 0))
    #expect(!sent.write([0x80, 1, 0], at: 0))
    #expect(sent.refused == 5001 - min(room, 4096))
  }

  @Test func `System Exclusive with a byte above 127 is refused`() {
    let sent = Sent()
    #expect(!sent.write([0xF0, 1, 0x80, 0xF7], at: 0))
    #expect(sent.taken.isEmpty)
  }

  @Test func `the events of a cycle can be forwarded unchanged`() {
    let (source, sent) = (Sent(), Sent())
    for message in [[0x90, 1, 1], [0xF0, 5, 6, 0xF7], [0xF0, 7, 0xF7], [0xF8, 0, 0]] as [[UInt8]] {
      #expect(source.write(message, at: 40))
    }
    let cycle = source.events.pointee.inOrder()
    for event in cycle.events { #expect(sent.output.pass(event, of: cycle)) }
    #expect(sent.taken.map(\.bytes) == source.taken.map(\.bytes))
    #expect(sent.taken.map(\.offset) == [40, 40, 40, 40])
  }

  @Test func `what was sent and not ended is known, and is ended as far as there is room`() {
    let sent = Sent()
    var source = SourceState()
    #expect(sent.write([0x90, 1, 1], at: 0))
    let before = sent.output.count
    for message in [
      [0x91, 60, 9], [0x90, 61, 9], [0xB2, 64, 127], [0xE3, 1, 2], [0x80, 61, 0], [0xF8, 0, 0],
    ] as [[UInt8]] {
      #expect(sent.write(message, at: 5))
    }
    sent.output.follow(into: &source, after: before)
    #expect(source.notes.count == 1)
    sent.begin(room: 1)
    sent.output.end(&source)
    #expect(sent.taken.map(\.bytes) == [[0x81, 60, 64]])
    sent.begin(room: 10)
    sent.output.end(&source)
    #expect(sent.taken.map(\.bytes) == [[0xB2, 64, 0], [0xE3, 0, 64]])
    #expect(source.isEmpty)

    #expect(sent.write([0x90, 60, 9], at: 0))
    #expect(sent.write([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], at: 0))
    sent.output.follow(into: &source, after: 0)
    #expect(source.isEmpty)
  }

  @Test func `without a receiver every event is accepted`() {
    let output = MIDIOutput()
    for _ in 0..<10_000 { #expect(output.write(.clock, at: 0)) }
    #expect([1, 2].withUnsafeBufferPointer { output.write(sysEx: $0, at: 0) })
  }
}

/// An output event buffer and the output that writes to it.
private final class Sent {
  private let memory = RenderMemory()
  let events: UnsafeMutablePointer<OutputEventBuffer>
  var output: MIDIOutput { MIDIOutput(events) }
  var refused: Int { events.pointee.refused }

  init(room: Int = 4096) {
    events = memory.make(OutputEventBuffer(slots: 4096, slotSize: 16, in: memory))
    begin(room: room)
  }

  func begin(room: Int) { events.pointee.begin(frames: 64, room: room) }

  /// - Parameter message: Three bytes, or System Exclusive from F0 to F7.
  func write(_ message: [UInt8], at offset: Int) -> Bool {
    if message[0] == 0xF0 {
      return message[1..<message.count - 1].withUnsafeBufferPointer {
        output.write(sysEx: $0, at: offset)
      }
    }
    if let system = SystemMessage(status: message[0], data1: message[1], data2: message[2]) {
      return output.write(system, at: offset)
    }
    return output.write(
      ChannelMessage(status: message[0], data1: message[1], data2: message[2])!, at: offset)
  }

  /// The start index of each System Exclusive message's bytes.
  var starts: [Int] {
    events.pointee.inOrder().events.compactMap {
      if case .sysEx(let start, _) = $0.content { Int(start) } else { nil }
    }
  }

  /// The events in the order in which they are sent.
  var taken: [(offset: Int, bytes: [UInt8])] {
    let cycle = events.pointee.inOrder()
    return cycle.events.map { event in
      let offset = Int(event.offset)
      switch event.content {
      case .channel(let message): return (offset, [message.status, message.data1, message.data2])
      case .system(let message): return (offset, [message.status, message.data1, message.data2])
      case .sysEx(let start, let count):
        return (offset, [0xF0] + cycle.sysEx[Int(start)..<Int(start + count)] + [0xF7])
      }
    }
  }
}
