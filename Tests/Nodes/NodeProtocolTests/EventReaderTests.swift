import CSegment
import LocalSystem
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventReaderTests {
  @Test func `a late event acts on the first frame, and is counted`() throws {
    let fifo = try FIFO()
    fifo.publish([(90, note(1)), (100, note(2)), (130, note(3))])
    #expect(fifo.offsets(from: 100) == [0, 0, 30])
    #expect(fifo.reader.late == 1)
  }

  @Test func `an event beyond the cycle acts on the last frame`() throws {
    let fifo = try FIFO()
    fifo.publish([(100, note(1)), (.max, note(2))])
    #expect(fifo.offsets(from: 100) == [0, 63])
  }

  @Test func `an event is never placed before an earlier one`() throws {
    let fifo = try FIFO()
    fifo.publish([(140, note(1)), (120, note(2)), (150, note(3)), (0, note(4))])
    #expect(fifo.offsets(from: 100) == [40, 40, 50, 50])
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `the smallest and largest frames are placed within the cycle`(begin: Int64) throws {
    let fifo = try FIFO()
    fifo.publish([(.min, note(1)), (.max, note(2))])
    let offsets = fifo.offsets(from: begin)
    #expect(offsets == [0, begin == .max ? 0 : 63])
  }

  @Test(arguments: [0, 5, 6, 255])
  func `a slot of unknown kind is dropped and counted`(kind: Int) throws {
    let fifo = try FIFO()
    fifo.store(segment_slot(frame: 0, count: 2, kind: UInt8(kind), bytes: (0x90, 60, 100)), at: 0)
    fifo.store(segment_slot(frame: 9, count: 0, kind: 1, bytes: (0x90, 61, 100)), at: 1)
    fifo.written.store(2)
    #expect(fifo.next(from: 0).map(\.bytes) == [[0x90, 61, 100]])
    #expect(fifo.reader.malformed == 1)
  }

  @Test func `parameter changes have a separate list, with the frames of messages`() throws {
    let fifo = try FIFO()
    let change = ParameterChange(offset: 0, index: 1023, value: -0.5, ramp: 77)
    #expect(fifo.write(change, at: 3))
    #expect(fifo.write(note(60), at: 3))
    #expect(fifo.write(change, at: 99))
    fifo.publish()
    #expect(fifo.next(from: 0).map(\.offset) == [3])
    #expect(
      Array(fifo.reader.parameters) == [
        ParameterChange(offset: 3, index: 1023, value: -0.5, ramp: 77),
        ParameterChange(offset: 63, index: 1023, value: -0.5, ramp: 77),
      ])
    #expect(fifo.next(from: 64).isEmpty)
    #expect(fifo.reader.parameters.isEmpty)
  }

  @Test func `a truncated parameter change is dropped and counted`() throws {
    let fifo = try FIFO()
    fifo.store(segment_slot(frame: 0, count: 2, kind: 4, bytes: (0, 0, 0)), at: 0)
    fifo.written.store(1)
    #expect(fifo.next(from: 0).isEmpty)
    #expect(fifo.reader.parameters.isEmpty)
    #expect(fifo.reader.malformed == 1)
  }

  @Test(arguments: [(0x00, 0, 0), (0x7F, 1, 1), (0x90, 128, 0), (0x90, 0, 255), (0xF0, 1, 1)])
  func `bytes that are not a channel message are dropped and counted`(bytes: (Int, Int, Int)) throws
  {
    let fifo = try FIFO()
    let slot = segment_slot(
      frame: 0, count: 0, kind: 1, bytes: (UInt8(bytes.0), UInt8(bytes.1), UInt8(bytes.2)))
    fifo.store(slot, at: 0)
    fifo.written.store(1)
    #expect(fifo.next(from: 0).isEmpty)
    #expect(fifo.reader.malformed == 1)
  }

  @Test(arguments: [
    (0xF0, 1, 1), (0xF2, 128, 0), (0xF2, 0, 128), (0xF4, 0, 0), (0xF7, 0, 0), (0x90, 1, 1),
  ])
  func `bytes that are not a system message are dropped and counted`(bytes: (Int, Int, Int)) throws
  {
    let fifo = try FIFO()
    let slot = segment_slot(
      frame: 0, count: 0, kind: 3, bytes: (UInt8(bytes.0), UInt8(bytes.1), UInt8(bytes.2)))
    fifo.store(slot, at: 0)
    fifo.written.store(1)
    #expect(fifo.next(from: 0).isEmpty)
    #expect(fifo.reader.malformed == 1)
  }

  @Test func `a System Exclusive message with a byte above 127 is dropped completely`() throws {
    let fifo = try FIFO()
    fifo.store(segment_slot(frame: 0, count: 20, kind: 2, bytes: (0, 0, 0)), at: 0)
    fifo.store(segment_slot(frame: 0x80, count: 0, kind: 0, bytes: (0, 0, 0)), at: 1)
    fifo.store(segment_slot(), at: 2)
    fifo.store(segment_slot(frame: 0, count: 0, kind: 1, bytes: (0x90, 61, 100)), at: 3)
    fifo.written.store(4)
    #expect(fifo.next(from: 0).map(\.bytes) == [[0x90, 61, 100]])
    #expect(fifo.reader.malformed == 1)
  }

  @Test(arguments: [17, 65_520, 65_537, UInt32.max])
  func `a length beyond the written slots does not drop other events`(count: UInt32) throws {
    let fifo = try FIFO()
    fifo.store(segment_slot(frame: 0, count: count, kind: 2, bytes: (0, 0, 0)), at: 0)
    fifo.written.store(2)
    #expect(fifo.next(from: 0).isEmpty)
    #expect(fifo.reader.malformed == 1)
    fifo.store(segment_slot(frame: 0, count: 0, kind: 1, bytes: (0x90, 61, 100)), at: 2)
    fifo.written.store(3)
    #expect(fifo.next(from: 0).map(\.bytes) == [[0x90, 61, 100]])
  }

  @Test(arguments: [4097, 1 << 31, UInt32.max])
  func `with more written slots than the FIFO has, all are dropped`(written: UInt32) throws {
    let fifo = try FIFO()
    fifo.store(segment_slot(frame: 0, count: 0, kind: 1, bytes: (0x90, 61, 100)), at: 0)
    fifo.written.store(written)
    #expect(fifo.next(from: 0).isEmpty)
    #expect(fifo.reader.malformed == 1)
    #expect(fifo.read.value == written)
  }

  @Test(arguments: [(EventDirection.toNode, 256), (.toHost, 384)])
  func `the reader writes only its own index`(direction: EventDirection, end: Int) throws {
    let fifo = try FIFO(direction)
    fifo.publish([(0, note(1)), (0, note(2))])
    let before = fifo.shared.bytes
    _ = fifo.next(from: 0)
    let after = fifo.shared.bytes
    #expect(before.indices.filter { before[$0] != after[$0] } == [end])
  }

  @Test(arguments: [EventDirection.toNode, .toHost])
  func `whatever the memory contains, the events are ordered and well formed`(
    direction: EventDirection
  ) throws {
    let fifo = try FIFO(direction)
    var random = Seeded(2)
    var taken = 0
    for round in 0..<3000 {
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        let place = Int(fifo.written.value &+ .random(in: 0...100, using: &random)) & 4095
        fifo.store(doubtfulSlot(&random), at: place)
      }
      let step: UInt32 =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .random(in: 0 ... .max, using: &random)
        case 1: UInt32(SegmentLayout.eventSlots)
        default: .random(in: 0...100, using: &random)
        }
      fifo.written.store(fifo.written.value &+ step)
      let frames = Int.random(in: 1...64, using: &random)
      let begin = [Int64.min, 0, .max, Int64.random(in: .min ... .max, using: &random)]
        .randomElement(using: &random)!
      let cycle = fifo.reader.next(from: begin, frames: frames)
      #expect(isWellFormed(cycle, frames: frames), "round \(round)")
      taken += cycle.events.count
    }
    #expect(taken > 1000)
    #expect(fifo.reader.malformed > 1000)
  }

  /// Returns a random slot that is almost valid or invalid.
  private func doubtfulSlot(_ random: inout Seeded) -> segment_slot {
    var slot = segment_slot()
    slot.frame = [.min, 0, .max, 1 << 40].randomElement(using: &random)!
    slot.count = [0, 15, 16, 17, 300, 65_520, .max].randomElement(using: &random)!
    slot.kind = [1, 1, 2, 2, 3, 0xFF].randomElement(using: &random)!
    slot.bytes = (
      UInt8.random(in: 0x80...0xFF, using: &random),
      UInt8.random(in: 0...0xFF, using: &random) & 0x8F,
      UInt8.random(in: 0...0x7F, using: &random)
    )
    return slot
  }

  private func isWellFormed(_ cycle: MIDICycle, frames: Int) -> Bool {
    var last: UInt32 = 0
    for event in cycle.events {
      if event.offset < last || event.offset >= frames { return false }
      last = event.offset
      if case .sysEx(let start, let count) = event.content {
        if Int(start) + Int(count) > cycle.sysEx.count { return false }
      }
    }
    return cycle.sysEx.allSatisfy { $0 < 0x80 } && cycle.events.count <= SegmentLayout.eventSlots
      && cycle.sysEx.count <= SegmentLayout.eventSlots * Int(SEGMENT_SLOT_SIZE)
  }
}
