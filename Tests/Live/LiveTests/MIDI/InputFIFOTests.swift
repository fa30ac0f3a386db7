import RenderCore
import TestSupport
import Testing

@testable import LiveMIDI

@Suite struct InputFIFOTests {
  @Test func `gives what was written, in order, with its time and source`() throws {
    let fifo = InputFIFO()
    var reader = fifo.reader
    #expect(reader.first == nil)
    #expect(fifo.write(on(60), from: keyboard, at: 5))
    #expect(fifo.write(off(60), from: otherKeyboard, at: 7))
    #expect(fifo.write(.system(.clock), from: keyboard, at: 9))
    let slots = reader.takeAll()
    #expect(slots.map(\.time) == [5, 7, 9])
    #expect(slots.map(\.source) == [1, 2, 1])
    #expect(slots.map(\.status) == [[0x90, 60, 100], [0x80, 60, 64], [0xF8, 0, 0]])
  }

  @Test(arguments: [0, 1, 15, 16, 17, 1000, InputFIFO.longestSysEx])
  func `gives System Exclusive whole, also around its end`(count: Int) throws {
    let fifo = InputFIFO()
    var reader = fifo.reader
    for round in 0..<3 {
      let bytes = (0..<count).map { UInt8(($0 + round) & 0x7F) }
      #expect(fifo.write(.sysEx(bytes), from: keyboard, at: 1))
      let slot = try #require(reader.first)
      #expect(slot.status[0] == 0xF0)
      var copy = [UInt8](repeating: 0xFF, count: count)
      copy.withUnsafeMutableBufferPointer {
        if let start = $0.baseAddress { reader.copySysEx(Int(slot.count), to: start) }
      }
      #expect(copy == bytes)
      reader.removeFirst()
      #expect(reader.first == nil)
    }
  }

  @Test func `refuses what it has no room for, and keeps what it has`() {
    let fifo = InputFIFO()
    var reader = fifo.reader
    for time in 0..<InputSlot.capacity {
      #expect(fifo.write(on(60), from: keyboard, at: Int64(time)))
    }
    #expect(!fifo.write(off(60), from: keyboard, at: 0))
    reader.removeFirst()
    #expect(!fifo.write(.sysEx([1]), from: keyboard, at: 0))
    #expect(fifo.write(off(60), from: keyboard, at: 0))
    #expect(reader.takeAll().count == InputSlot.capacity)
  }

  @Test func `refuses what no FIFO has room for`() {
    let bytes = [UInt8](repeating: 1, count: InputFIFO.longestSysEx + 1)
    #expect(!InputFIFO().write(.sysEx(bytes), from: keyboard, at: 0))
  }

  @Test func `one thread reads what another writes, all of it`() {
    let fifo = InputFIFO()
    var reader = fifo.reader
    let count = 100_000
    let writer = TestThread {
      for time in 0..<count {
        while !fifo.write(
          time % 7 == 0 ? .sysEx([1, 2, 3]) : on(60), from: keyboard, at: Int64(time))
        {}
      }
    }
    var next: Int64 = 0
    while next < count {
      for slot in reader.takeAll() {
        #expect(slot.time == next)
        next = slot.time + 1
      }
    }
    writer.join()
    #expect(reader.first == nil)
  }
}
