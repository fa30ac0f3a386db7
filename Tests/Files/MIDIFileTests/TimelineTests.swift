import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct TimelineTests {
  @Test func `keeps an event in 24 bytes`() {
    #expect(MemoryLayout<Timeline.Event>.stride == 24)
  }

  @Test func `converts ticks to frames and frames to ticks`() throws {
    // 480 ticks per quarter note at 120 per minute: 50 frames per tick at 48 kHz.
    let timeline = try file(note(60)).timeline(sampleRate: 48_000)
    #expect(timeline.frame(ofTick: 96) == 4_800)
    #expect(timeline.frame(ofTick: .max) == .max)
    #expect([0, 1, 50, 51].map { timeline.tick(atOrAfter: $0) } == [0, 1, 1, 2])
  }

  @Test func `finds bar lines after the end of the file too`() throws {
    let timeline = try file(note(60)).timeline(sampleRate: 48_000)
    #expect(timeline.endFrame == 4_800)
    #expect(timeline.barLine(atOrAfter: timeline.endFrame) == 96_000)
    #expect(timeline.barLine(atOrAfter: 0) == 0)
    #expect(timeline.barLine(atOrAfter: 960_001) == 1_056_000)
  }

  @Test func `has no bars if ticks are parts of time code`() throws {
    let timeline = try file(note(60), division: [0xE7, 0x28]).timeline(sampleRate: 48_000)
    #expect(timeline.barLine(atOrAfter: 0) == nil)
  }

  @Test func `a negative frame or tick is a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      let timeline = try file([]).timeline(sampleRate: 48_000)
      _ = timeline.frame(ofTick: -1)
    }
    await #expect(processExitsWith: .failure) {
      let timeline = try file([]).timeline(sampleRate: 48_000)
      _ = timeline.barLine(atOrAfter: -1)
    }
  }
}
