import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct InstrumentUnitTests {
  @Test(arguments: Timing.allCases)
  func `requests deferred work when music needs more lanes, and only once`(timing: Timing) throws {
    let source = InstrumentSource(
      soundFont: try .open(Fonts.timGM6mb),
      settings: InstrumentSettings(timing: timing, ownsPresets: false))
    let unit = try source.makeUnit(
      Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 256))
    #expect(!unit.render([]))
    #expect(unit.render([ChannelMessage(.controlChange, channel: 0, 68, 127)]))
    unit.performDeferredWork()
    #expect(!unit.render([]))
    let chord = (40..<52).map { ChannelMessage(.noteOn, channel: 1, UInt8($0), 100) }
    #expect(unit.render(chord) == (timing == .exact))
    unit.performDeferredWork()
    #expect(!unit.render([]))
    #expect(unit.status.first { $0.name == "late notes" }?.value == 0)
  }

  @Test func `prepared for a cycle, it has a lane for every note`() throws {
    let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb)).makeUnit(
      Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 256))
    let notes = (30..<90).map { ChannelMessage(.noteOn, channel: 0, UInt8($0), 100) }
    unit.prepare(notes)
    _ = unit.render(notes)
    #expect(unit.status.first { $0.name == "late notes" }?.value == 0)
  }

  @Test func `is ready for a cycle only when every note has a lane`()
    throws
  {
    let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb)).makeUnit(
      Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 256))
    let notes = (30..<90).map { ChannelMessage(.noteOn, channel: 0, UInt8($0), 100) }
    #expect(unit.isReady([]))
    let some = Array(notes.prefix(16))
    #expect(unit.isReady(some))
    #expect(!unit.isReady(notes))
    unit.performDeferredWork()
    #expect(unit.isReady(notes))
    _ = unit.render(notes)
    #expect(unit.status.first { $0.name == "late notes" }?.value == 0)
    // All of these notes have lanes, but there are none for as many more.
    #expect(!unit.isReady(notes))
  }

  @Test(arguments: Timing.allCases)
  func `prepared for each cycle, it plays legato like an instrument with its own presets`(
    timing: Timing
  ) throws {
    let format = Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 256)
    let font = try SoundFont.open(Fonts.timGM6mb)
    func passage(ownsPresets: Bool) throws -> [[Float]] {
      let settings = InstrumentSettings(timing: timing, ownsPresets: ownsPresets)
      let unit = try InstrumentSource(soundFont: font, settings: settings).makeUnit(format)
      let pedal = ChannelMessage(.controlChange, channel: 0, 68, 127)
      return (0..<40).map { cycle in
        let key = ChannelMessage(.noteOn, channel: 0, UInt8(50 + cycle / 4), 100)
        let messages = cycle == 0 ? [pedal, key] : cycle % 4 == 0 ? [key] : []
        unit.prepare(messages)
        return unit.rendered(messages)
      }
    }
    let shared = try passage(ownsPresets: false)
    #expect(try passage(ownsPresets: true) == shared)
    #expect(shared.joined().contains { $0 != 0 })
  }

  @Test(arguments: Timing.allCases)
  func `its tail is unknown while a note sounds, and then that of the effects`(
    timing: Timing
  ) throws {
    let unit = try makeUnit(timing)
    var note = UnitPerformance()
    note.performance.note(0, 9, 42, 100, length: 100)
    _ = unit.play(note, frames: 256)
    #expect(unit.tail == nil)
    _ = unit.play(UnitPerformance(), frames: 200_000)
    let tail = try #require(unit.tail)
    #expect(tail > 48_000 && tail < 20 * 48_000)
    // Anything that remains is 100 dB below the note.
    let late = unit.play(UnitPerformance(), frames: tail + 4800)[0][tail...]
    #expect(late.allSatisfy { abs($0) < 1e-5 * 0.3 })
    try unit.parameters?.set("reverb.on", to: 0)
    #expect(unit.tail == 2112)
    try unit.parameters?.set("chorus.on", to: 0)
    #expect(unit.tail == 0)
  }
}

extension RenderUnit {
  fileprivate func prepare(_ messages: [ChannelMessage]) {
    messages.map { MIDIEvent(offset: 0, content: .channel($0)) }.withUnsafeBufferPointer {
      let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      prepare(for: MIDICycle(frames: 256, events: $0, sysEx: none))
    }
  }

  /// Returns whether the unit is ready for a cycle that begins with `messages`.
  fileprivate func isReady(_ messages: [ChannelMessage]) -> Bool {
    let events = messages.map { MIDIEvent(offset: 0, content: .channel($0)) }
    return events.withUnsafeBufferPointer { events in
      withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) { none in
        var cycle = RenderCycle(
          midi: MIDICycle(
            frames: 256, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
          position: 0, hostTime: 0, output: none.baseAddress!)
        return renderer.readiness!(renderer.state, &cycle)
      }
    }
  }

  /// Renders a cycle of 256 frames that begins with `messages`.
  ///
  /// - Returns: Whether the unit requests deferred work.
  fileprivate func render(_ messages: [ChannelMessage]) -> Bool { renderCycle(messages).wish }

  /// - Returns: The left channel.
  fileprivate func rendered(_ messages: [ChannelMessage]) -> [Float] { renderCycle(messages).left }

  private func renderCycle(_ messages: [ChannelMessage]) -> (wish: Bool, left: [Float]) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    memory.initialize(repeating: 0, count: 512)
    defer { memory.deallocate() }
    var channels = [memory, memory + 256]
    let events = messages.map { MIDIEvent(offset: 0, content: .channel($0)) }
    return events.withUnsafeBufferPointer { events in
      channels.withUnsafeMutableBufferPointer { channels in
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var cycle = RenderCycle(
          midi: MIDICycle(frames: 256, events: events, sysEx: none), position: 0, hostTime: 0,
          output: channels.baseAddress!)
        let wish = renderer.procedure(renderer.state, &cycle)
        return (wish, Array(UnsafeBufferPointer(start: channels[0], count: 256)))
      }
    }
  }
}
