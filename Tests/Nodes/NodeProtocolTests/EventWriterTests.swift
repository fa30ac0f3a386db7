import LocalSystem
import RenderCore
import TestSupport
import Testing

@testable import NodeProtocol

@Suite(.timeLimit(.minutes(5))) struct EventWriterTests {
  @Test(arguments: [EventDirection.toNode, .toHost])
  func `events are read in the order in which they were written`(direction: EventDirection) throws {
    let fifo = try FIFO(direction)
    for key in [1, 2, 3] { #expect(fifo.write(note(key), at: 105)) }
    #expect(fifo.write(ChannelMessage(.programChange, channel: 15, 9), at: 110))
    #expect(fifo.write(SystemMessage.clock, at: 111))
    let position = try #require(SystemMessage.songPosition(300))
    #expect(fifo.write(position, at: 111))
    fifo.publish()
    #expect(
      fifo.next(from: 100) == [
        Taken(offset: 5, bytes: [0x90, 1, 100]), Taken(offset: 5, bytes: [0x90, 2, 100]),
        Taken(offset: 5, bytes: [0x90, 3, 100]), Taken(offset: 10, bytes: [0xCF, 9]),
        Taken(offset: 11, bytes: [0xF8]), Taken(offset: 11, bytes: [0xF2, 44, 2]),
      ])
  }

  @Test func `nothing is read before it is published`() throws {
    let fifo = try FIFO()
    #expect(fifo.write(note(60), at: 0))
    #expect(fifo.next(from: 0).isEmpty)
    fifo.publish()
    #expect(fifo.next(from: 0).count == 1)
    #expect(fifo.next(from: 0).isEmpty)
  }

  @Test func `a full FIFO refuses events and keeps the stored ones`() throws {
    let fifo = try FIFO()
    for i in 0..<SegmentLayout.eventSlots { #expect(fifo.write(note(i & 127), at: 0)) }
    #expect(!fifo.write(note(5), at: 0))
    #expect(!fifo.write(.clock, at: 0))
    #expect(!fifo.write(sysEx: [], at: 0))
    fifo.publish()
    let keys = fifo.next(from: 0).map { $0.bytes[1] }
    #expect(keys == (0..<SegmentLayout.eventSlots).map { UInt8($0 & 127) })
    #expect(fifo.write(note(5), at: 0))
  }

  @Test func `a System Exclusive message that does not fit is refused completely`() throws {
    let fifo = try FIFO()
    for _ in 0..<SegmentLayout.eventSlots - 3 { _ = fifo.write(note(1), at: 0) }
    #expect(!fifo.write(sysEx: pattern(33), at: 0))
    #expect(fifo.write(sysEx: pattern(32), at: 0))
    fifo.publish()
    let taken = fifo.next(from: 0)
    #expect(taken.count == SegmentLayout.eventSlots - 2)
    #expect(taken.last?.bytes == [0xF0] + pattern(32) + [0xF7])
  }

  @Test func `System Exclusive of every size is unchanged, wherever it wraps`() throws {
    let fifo = try FIFO()
    let longest = SegmentLayout.longestSysEx
    // Each message begins at another position in the ring.
    let sizes = Array(0...130) + [4095, 4096, 4097, 20_000, longest - 17, longest - 1, longest]
    for size in sizes + sizes.reversed() {
      let bytes = pattern(size, from: size)
      let isWritten = fifo.write(sysEx: bytes, at: 7)
      #expect(isWritten, "\(size)")
      fifo.publish()
      let taken = fifo.next(from: 0)
      #expect(taken == [Taken(offset: 7, bytes: [0xF0] + bytes + [0xF7])], "\(size)")
    }
    #expect(!fifo.write(sysEx: pattern(longest + 1), at: 0))
  }

  @Test(arguments: [EventDirection.toNode, .toHost])
  func `a random mixture is unchanged, also when the indices wrap`(
    direction: EventDirection
  ) throws {
    let fifo = try FIFO(direction)
    // Just below 2³², where the slot counters wrap.
    (fifo.writer.position, fifo.reader.position) = (.max - 5000, .max - 5000)
    fifo.read.store(fifo.reader.position)
    var random = Seeded(1)
    for cycle in 0..<400 {
      let begin = Int64(cycle) * 64
      var expected: [Taken] = []
      for offset in (0..<Int.random(in: 0...40, using: &random)).map({ $0 * 63 / 40 }) {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let bytes = pattern(Int.random(in: 0...200, using: &random), from: cycle)
          let isWritten = fifo.write(sysEx: bytes, at: begin + Int64(offset))
          #expect(isWritten)
          expected.append(Taken(offset: offset, bytes: [0xF0] + bytes + [0xF7]))
        } else {
          let message = note(Int.random(in: 0...127, using: &random))
          let isWritten = fifo.write(message, at: begin + Int64(offset))
          #expect(isWritten)
          expected.append(Taken(offset: offset, bytes: message.bytes))
        }
      }
      fifo.publish()
      #expect(fifo.next(from: begin) == expected)
    }
    #expect(fifo.writer.position < 1 << 31)
    #expect(fifo.reader.malformed == 0)
    #expect(fifo.reader.late == 0)
  }

  @Test(arguments: [(EventDirection.toNode, 192), (.toHost, 320)])
  func `the writer writes only slots and its own index`(direction: EventDirection, end: Int) throws
  {
    let fifo = try FIFO(direction)
    let before = fifo.shared.bytes
    while fifo.write(note(127), at: -1) {}
    fifo.publish()
    let after = fifo.shared.bytes
    let changed = before.indices.filter { before[$0] != after[$0] }
    #expect(!changed.isEmpty)
    #expect(
      changed.allSatisfy {
        SharedSegment.slots(direction).contains($0) || (end..<end + 4).contains($0)
      })
  }

  @Test(arguments: [1, 4097, 1 << 31] as [UInt32])
  func `a reader that claims to have read what was never written gets nothing`(claim: UInt32) throws
  {
    let fifo = try FIFO()
    fifo.read.store(claim)
    #expect(!fifo.write(note(1), at: 0))
    #expect(!fifo.write(sysEx: pattern(40), at: 0))
  }
}
