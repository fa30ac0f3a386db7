import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct TimelineErrorTests {
  private func file(_ tracks: [StandardMIDIFile.Track]) -> StandardMIDIFile {
    StandardMIDIFile(format: .simultaneous, division: .ticksPerQuarter(1), tracks: tracks)
  }

  @Test func `refuses a sample rate out of range, and names the range`() throws {
    for rate in [Int.min, -1, 0, 7_999, 192_001, .max] {
      let error = #expect(throws: TimelineError.sampleRateOutOfRange(rate)) {
        try file([.init([])]).timeline(sampleRate: rate)
      }
      #expect(error?.description.contains("8000…192000") == true)
      #expect(error?.description.contains("\(rate)") == true)
    }
    for rate in [8_000, 192_000] {
      #expect(try file([.init([])]).timeline(sampleRate: rate).sampleRate == rate)
    }
  }

  @Test func `refuses an event beyond the largest frame`() throws {
    // 4000 frames per tick at 8000 frames per second.
    let last = Timeline.maximumFrame / 4_000
    let fits = file([.init([]), .init([.init(tick: last, .escape([]))])])
    #expect(try fits.timeline(sampleRate: 8_000).endFrame == last * 4_000)
    for tick in [last + 1, .max] {
      let late = file([.init([]), .init([.init(tick: tick, .escape([]))])])
      let error = #expect(throws: TimelineError.tooLong(track: 1)) {
        try late.timeline(sampleRate: 8_000)
      }
      #expect(error?.description.contains("track 2") == true)
    }
  }

  @Test func `refuses sequences whose total is too long`() {
    let track = StandardMIDIFile.Track([], endTick: .max / 2 + 1)
    let file = StandardMIDIFile(
      format: .sequential, division: .timeCode(.fps30, ticksPerFrame: 255), tracks: [track, track])
    #expect(throws: TimelineError.self) { try file.timeline(sampleRate: 8_000) }
  }

  @Test func `refuses more SysEx than offsets can address`() throws {
    // 4096 references to the same 2²⁰ bytes, 2³² in total; the array is shared and not copied.
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    let event = StandardMIDIFile.Event(tick: 0, .sysEx(bytes))
    func file(_ count: Int) -> StandardMIDIFile {
      let track = StandardMIDIFile.Track(
        unchecked: Array(repeating: event, count: count), endTick: 0)
      return self.file([track])
    }
    #expect(throws: TimelineError.tooMuchSysEx) { try file(4096).timeline(sampleRate: 8_000) }
    #expect(try file(4).timeline(sampleRate: 8_000).sysEx.count == 4 << 20)
  }
}
