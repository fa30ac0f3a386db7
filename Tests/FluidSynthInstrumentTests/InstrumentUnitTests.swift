import FluidSynthInstrument
import MIDICore
import RenderCore
import Testing

@Suite struct InstrumentUnitTests {
  @Test(arguments: Timing.allCases)
  func `asks to be tended when music needs what is not made, and not again`(timing: Timing) throws {
    let source = InstrumentSource(
      soundFont: try .open(Fonts.timGM6mb),
      settings: InstrumentSettings(timing: timing, ownsPresets: false))
    let unit = try source.makeUnit(
      Format(sampleRate: 48_000, channels: 2, maximumFrames: 256))
    #expect(!unit.render([]))
    #expect(unit.render([ChannelMessage(.controlChange, channel: 0, 68, 127)]))
    unit.tend()
    #expect(!unit.render([]))
    let chord = (40..<52).map { ChannelMessage(.noteOn, channel: 1, UInt8($0), 100) }
    #expect(unit.render(chord) == (timing == .exact))
    unit.tend()
    #expect(!unit.render([]))
    #expect(unit.status.first { $0.name == "late notes" }?.value == 0)
  }

  @Test func `prepared for a cycle, it has a lane for every note`() throws {
    let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb)).makeUnit(
      Format(sampleRate: 48_000, channels: 2, maximumFrames: 256))
    unit.prepare(notes: 60)
    _ = unit.render((30..<90).map { ChannelMessage(.noteOn, channel: 0, UInt8($0), 100) })
    #expect(unit.status.first { $0.name == "late notes" }?.value == 0)
  }
}

extension RenderUnit {
  /// Renders a cycle of 256 frames that begins with `messages`.
  fileprivate func render(_ messages: [ChannelMessage]) -> Bool {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    memory.initialize(repeating: 0, count: 512)
    defer { memory.deallocate() }
    var channels = [memory, memory + 256]
    let events = messages.map { MIDIEvent(offset: 0, content: .channel($0)) }
    return events.withUnsafeBufferPointer { events in
      channels.withUnsafeMutableBufferPointer { channels in
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var cycle = RenderCycle(
          cycle: Cycle(frames: 256, events: events, sysEx: none), position: 0, hostTime: 0,
          output: channels.baseAddress!)
        return renderer.procedure(renderer.state, &cycle)
      }
    }
  }
}
