import MIDIFile
import Testing

@Suite("Timeline.beats", .timeLimit(.minutes(5))) struct TimelineBeatsTests {
  private func timeline(_ events: [StandardMIDIFile.Event], end: Int64) throws -> Timeline {
    try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(24_000),
      tracks: [.init(events, endTick: end)]
    ).timeline(sampleRate: 48_000)
  }

  private func signature(_ tick: Int64, _ numerator: UInt8, _ power: UInt8) throws
    -> StandardMIDIFile.Event
  {
    let signature = try #require(
      TimeSignature(numerator: numerator, denominatorPower: power))
    return .init(tick: tick, .meta(.timeSignature(signature)))
  }

  @Test func `a time signature starts a bar, also before the previous one is full`() throws {
    let beats = try timeline([signature(60_000, 6, 3)], end: 120_000).beats(before: 120_000)
    #expect(
      beats.map(\.frame) == [0, 24_000, 48_000, 60_000, 72_000, 84_000, 96_000, 108_000])
    #expect(beats.map(\.bar) == [1, 1, 1, 2, 2, 2, 2, 2])
    #expect(beats.map(\.beat) == [1, 2, 3, 1, 2, 3, 4, 5])
    #expect(beats.last?.denominator == 8)
  }

  @Test func `tempos apply from their own frames, and beats follow them`() throws {
    let timeline = try timeline([.init(tick: 24_000, .meta(.tempo(250_000)))], end: 96_000)
    #expect(timeline.tempos.map(\.frame) == [0, 24_000])
    #expect(timeline.tempos.map(\.microsecondsPerQuarter) == [500_000, 250_000])
    #expect(timeline.beats(before: 60_000).map(\.frame) == [0, 24_000, 36_000, 48_000])
  }

  @Test func `a song whose beats are too many has the first of them`() throws {
    let timeline = try timeline(
      [.init(tick: 0, .meta(.tempo(1)))], end: 24_000 * Int64(3 << 20))
    #expect(timeline.beats(before: .max).count == Timeline.maximumBeats)
  }
}
