import LV2Atoms
import RenderCore
import Testing

@testable import LV2Plugins

@Suite(.timeLimit(.minutes(5))) struct AtomWriterTests {
  private let sysEx: [UInt8] = [0x7E, 0x7F, 9, 1]

  /// Writes a note, System Exclusive and a clock to a port of some size, and returns the bytes of the events.
  private func written(capacity: Int) -> [[UInt8]] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + 16, alignment: 8)
    // What follows the port must stay.
    memory.initializeMemory(as: UInt8.self, repeating: 0xAA, count: capacity + 16)
    memory.storeBytes(of: UInt32(capacity), as: UInt32.self)
    var writer = AtomWriter(memory, types)
    let events = [
      MIDIEvent(offset: 1, content: .channel(ChannelMessage(.noteOn, channel: 2, 60, 100))),
      MIDIEvent(offset: 2, content: .sysEx(start: 0, count: 4)),
      MIDIEvent(offset: 3, content: .system(.clock)),
    ]
    events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer {
        let cycle = MIDICycle(frames: 64, events: events, sysEx: $0)
        for event in events {
          _ = writer.append(event.content, of: cycle, at: 10 + Int(event.offset))
        }
      }
    }
    for index in 8 + capacity..<16 + capacity {
      #expect(memory.load(fromByteOffset: index, as: UInt8.self) == 0xAA)
    }
    var reader = AtomReader(memory, types)
    var result: [[UInt8]] = []
    while let event = reader.first {
      result.append([UInt8(event.frame)] + Array(event.body))
      reader.removeFirst()
    }
    return result
  }

  @Test func `events have the frames of the host's cycle`() {
    #expect(
      written(capacity: 1000) == [
        [11, 0x92, 60, 100], [12, 0xF0] + sysEx + [0xF7], [13, 0xF8],
      ])
  }

  @Test
  func
    `what does not fit is dropped with all that follows, and nothing is written behind the port`()
  {
    for capacity in 8..<90 {
      let events = written(capacity: capacity)
      #expect(events == Array(written(capacity: 1000).prefix((capacity - 8) / 24)))
    }
    for capacity in 0..<8 { #expect(written(capacity: capacity) == []) }
  }
}
