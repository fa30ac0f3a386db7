import RenderCore
import TestSupport
import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) struct EventFIFOTests {
  let fifo = EventFIFO(capacity: 64)

  private func write(_ bytes: [UInt8], at time: Int64 = 0) -> Bool {
    let event = EventFIFO.Event(
      time: time, number: 1, content: .sysEx(start: 0, count: UInt32(bytes.count)))
    return bytes.withUnsafeBufferPointer { fifo.writer.write(event, sysEx: $0) }
  }

  private func writeNote(at time: Int64) -> Bool {
    let note = ChannelMessage(.noteOn, channel: 0, 60, 100)
    return fifo.writer.write(.init(time: time, number: 1, content: .channel(note)))
  }

  @Test func `an input's events are read in order, with their times and sources`() {
    let fifo = InputFIFO()
    #expect(fifo.reader.first == nil)
    #expect(fifo.write(on(60), from: keyboard, at: 5))
    #expect(fifo.write(off(60), from: otherKeyboard, at: 7))
    #expect(fifo.write(.system(.clock), from: keyboard, at: 9))
    #expect(fifo.write(.sysEx([1, 2]), from: keyboard, at: 11))
    let events = fifo.reader.takeAll()
    #expect(events.map(\.time) == [5, 7, 9, 11])
    #expect(events.map(\.number) == [1, 2, 1, 1])
    #expect(events.map(\.status) == [[0x90, 60, 100], [0x80, 60, 64], [0xF8, 0, 0], [0xF0]])
  }

  @Test func `System Exclusive of any length that fits is read whole, at any position`() throws {
    let longest = fifo.reader.longestSysEx
    #expect(longest == 63 * 24)
    for count in 0...longest {
      let bytes = (0..<count).map { UInt8(($0 * 7 + count) & 0x7F) }
      #expect(write(bytes, at: 1))
      var copy = [UInt8](repeating: 0xFF, count: count + 1)
      copy.withUnsafeMutableBufferPointer {
        if let start = $0.baseAddress { fifo.reader.copySysEx(count, to: start) }
      }
      #expect(copy == bytes + [0xFF])
      #expect(fifo.reader.next()?.sysEx == bytes)
      #expect(fifo.reader.first == nil)
    }
    #expect(!write([UInt8](repeating: 1, count: longest + 1)))
    #expect(fifo.reader.first == nil)
  }

  @Test func `only the bytes of the message are copied`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5]
    let event = EventFIFO.Event(time: 0, number: 1, content: .sysEx(start: 1, count: 3))
    #expect(bytes.withUnsafeBufferPointer { fifo.writer.write(event, sysEx: $0) })
    #expect(fifo.reader.next()?.sysEx == [2, 3, 4])
  }

  @Test func `a full FIFO refuses an event as a whole, and keeps the others`() {
    for time in 0..<64 { #expect(writeNote(at: Int64(time))) }
    #expect(!writeNote(at: 64))
    fifo.reader.removeFirst()
    #expect(!write([1]), "it needs two slots")
    #expect(writeNote(at: 65))
    #expect(fifo.reader.takeAll().map(\.time) == (1...63) + [65])
  }

  @Test func `one thread reads all that another writes`() {
    let count: Int64 = 100_000
    @Sendable func bytes(of time: Int64) -> [UInt8] {
      [UInt8](repeating: UInt8(time & 0x7F), count: Int(time % 200))
    }
    let writer = TestThread { [self] in
      for time in 0..<count {
        while !(time % 7 == 0 ? write(bytes(of: time), at: time) : writeNote(at: time)) {}
      }
    }
    var next: Int64 = 0
    while next < count {
      guard let (event, sysEx) = fifo.reader.next() else { continue }
      #expect(event.time == next)
      #expect(sysEx == (next % 7 == 0 ? bytes(of: next) : []))
      next += 1
    }
    writer.join()
    #expect(fifo.reader.first == nil)
  }
}
