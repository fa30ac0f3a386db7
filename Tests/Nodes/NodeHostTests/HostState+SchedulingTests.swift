import NodeHost
import NodeProtocol
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostStateSchedulingTests {
  @Test func `an event with an offset beyond the cycle is kept for its cycle`() throws {
    let both = try BothSides()
    for (key, offset) in [(4, 300), (1, 63), (3, 64 + 16 + 5), (2, 64)] {
      #expect(both.schedule(note(key), at: offset) == .accepted)
    }
    #expect(both.cycle(64) == [[63, 1]])
    #expect(both.cycle(16) == [[0, 2]])
    #expect(both.cycle(64) == [[5, 3]])
    #expect(both.cycle(64).isEmpty)
    #expect(both.cycle(64).isEmpty)
    #expect(both.cycle(64) == [[300 - 272, 4]])
  }

  @Test(arguments: [-1, -64, .min])
  func `a late event acts immediately`(offset: Int) throws {
    let both = try BothSides()
    _ = both.cycle()
    #expect(both.schedule(note(1), at: 0) == .accepted)
    #expect(both.schedule(note(2), at: offset) == .accepted)
    // In scheduling order: a past event cannot act before those that already act at frame 0.
    #expect(both.cycle() == [[0, 1], [0, 2]])
    #expect(both.reader.late == 0)
  }

  @Test func `an event with the largest offset is kept`() throws {
    let both = try BothSides()
    #expect(both.schedule(note(1), at: .max) == .accepted)
    _ = both.cycle()
    #expect(both.schedule(note(1), at: .max) == .accepted)
    #expect(both.cycle().isEmpty)
  }

  @Test func `during a cycle, offsets count from the next cycle`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    #expect(both.schedule(note(1), at: 3) == .accepted)
    #expect(both.answer().isEmpty)
    #expect(both.finish() == .rendered)
    #expect(both.cycle() == [[3, 1]])
  }

  @Test(
    arguments: [
      [0x90, 60, 100], [0x80, 0, 0], [0xA0, 127, 127], [0xB5, 7, 1], [0xC0, 5], [0xDF, 127],
      [0xE3, 0, 127], [0xF0, 0xF7], [0xF0, 0x7F, 0xF7], [0xF1, 5], [0xF2, 5, 127], [0xF3, 127],
      [0xF6], [0xF8], [0xFA], [0xFB], [0xFC], [0xFE], [0xFF],
    ] as [[UInt8]])
  func `complete messages are accepted`(bytes: [UInt8]) throws {
    let both = try BothSides()
    #expect(both.schedule(bytes) == .accepted)
    let expected =
      switch bytes[0] {
      case 0xF0: 2 - bytes.count
      case 0xF1...: Int(bytes[0])
      default: Int(bytes[1])
      }
    #expect(both.cycle() == [[0, expected]])
  }

  @Test(
    arguments: [
      [], [60], [60, 100], [0x90], [0x90, 60], [0x90, 60, 100, 100], [0x90, 128, 0],
      [0x90, 0, 128],
      [0xC0], [0xC0, 1, 2], [0xC0, 128], [0xF0], [0xF0, 1, 2], [0xF0, 0x80, 0xF7],
      [0xF0, 1, 0xF7, 0xF7], [0xF0, 0xF0, 0xF7], [0xF1], [0xF1, 128], [0xF1, 1, 1], [0xF2, 1],
      [0xF2, 1, 128], [0xF2, 1, 1, 1], [0xF4], [0xF5], [0xF6, 0], [0xF7], [0xF8, 0], [0xF9], [0xFD],
      [0xFF, 0, 0],
    ] as [[UInt8]])
  func `anything else is malformed, and changes nothing`(bytes: [UInt8]) throws {
    let both = try BothSides()
    #expect(both.schedule(bytes) == .malformed)
    #expect(both.cycle().isEmpty)
  }

  @Test func `a message longer than the FIFO can ever hold is too long, not full`() throws {
    let both = try BothSides()
    let longest = [UInt8](repeating: 5, count: SegmentLayout.longestSysEx)
    #expect(both.schedule([0xF0, 5] + longest + [0xF7]) == .tooLong)
    #expect(both.schedule([0xF0] + longest + [0xF7]) == .accepted)
    #expect(both.schedule([0xF0] + longest + [0xF7]) == .full)
    #expect(both.schedule([0x80, 1, 1]) == .full)
    #expect(both.cycle() == [[0, -longest.count]])
    #expect(both.schedule([0x80, 1, 1]) == .accepted)
  }

  @Test func `the bytes are copied before the call returns`() throws {
    let both = try BothSides()
    var bytes: [UInt8] = [0xF0] + Array(repeating: 3, count: 40) + [0xF7]
    #expect(both.schedule(bytes) == .accepted)
    for i in bytes.indices { bytes[i] = 0x55 }
    #expect(both.post() == nil)
    let cycle = both.reader.next(from: 0, frames: 64)
    #expect(cycle.sysEx.allSatisfy { $0 == 3 })
    #expect(cycle.sysEx.count == 40)
  }
}
