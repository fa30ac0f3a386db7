import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct BeatMapTests {
  /// Returns a song with random tempi and meters.
  private func song(_ numbers: inout SeededNumbers) throws -> (Timeline, UInt16) {
    let ticks = UInt16.random(in: 1...960, using: &numbers)
    var (tick, events) = (Int64(0), [StandardMIDIFile.Event]())
    for _ in 0..<40 {
      let content: MetaEvent =
        Bool.random(using: &numbers)
        ? .tempo(UInt32.random(in: 100_000...2_000_000, using: &numbers))
        : .timeSignature(
          TimeSignature(
            numerator: .random(in: 1...13, using: &numbers),
            denominatorPower: .random(in: 0...5, using: &numbers))!)
      events.append(.init(tick: tick, .meta(content)))
      tick += Int64.random(in: 0...4000, using: &numbers)
    }
    let file = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(ticks),
      tracks: [.init(events, endTick: tick)])
    return (try file.timeline(sampleRate: 44_100), ticks)
  }

  @Test func `puts the beat of a tick on the tick's frame`() throws {
    var numbers = SeededNumbers(state: 1)
    for _ in 0..<20 {
      let (timeline, ticks) = try song(&numbers)
      let map = timeline.beatMap
      for _ in 0..<100 {
        let tick = Int64.random(in: 0...200_000, using: &numbers)
        #expect(map.frame(ofBeat: Double(tick) / Double(ticks)) == timeline.frame(ofTick: tick))
      }
    }
  }

  @Test func `goes from a frame to its beat and back`() throws {
    var numbers = SeededNumbers(state: 2)
    for _ in 0..<20 {
      let map = try song(&numbers).0.beatMap
      for _ in 0..<100 {
        let frame = Int64.random(in: -1_000_000...50_000_000, using: &numbers)
        #expect(map.frame(ofBeat: map.beat(at: frame)) == frame)
      }
    }
  }

  @Test func `agrees with the timeline on bar lines, each a bar further`() throws {
    var numbers = SeededNumbers(state: 3)
    for _ in 0..<20 {
      let timeline = try song(&numbers).0
      let map = timeline.beatMap
      var (line, number) = (Int64(0), Int64(1))
      for _ in 0..<200 {
        // Bars shorter than a frame may share a line.
        #expect(map.bar(at: line).number == number)
        #expect(map.frame(ofBeat: map.bar(at: line).start) == line)
        let next = timeline.barLine(atOrAfter: line + 1)!
        #expect(map.bar(at: next - 1) == map.bar(at: line))
        (line, number) = (next, number + 1)
      }
    }
  }

  @Test func `counts bars before the beginning in the first meter and tempo`() throws {
    let file = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(96),
      tracks: [
        .init([
          .init(tick: 0, .meta(.tempo(1_000_000))),
          .init(tick: 0, .meta(.timeSignature(TimeSignature(numerator: 3, denominatorPower: 2)!))),
          .init(tick: 96, .meta(.tempo(500_000))),
        ])
      ])
    let map = try file.timeline(sampleRate: 8_000).beatMap
    #expect(map.beat(at: -8_000) == -1)
    #expect(map.frame(ofBeat: -1) == -8_000)
    #expect(map.tempo(at: -1) == 60)
    #expect(map.tempo(at: 8_000) == 120)
    #expect(map.bar(at: -1).number == 0)
    #expect(map.bar(at: -1).start == -3)
    #expect(map.bar(at: -24_000).number == 0)
    #expect(map.bar(at: -24_001).number == -1)
    #expect(map.changes == [8_000])
  }

  @Test func `has a new tempo from the first frame at or after its change`() throws {
    // A tempo change at tick 1, a third of half a second: frame 2666.67, nearest 2667; at tick 2: 5333.33,
    // nearest 5333.
    func changes(_ tick: Int64) throws -> [Int64] {
      try StandardMIDIFile(
        format: .singleTrack, division: .ticksPerQuarter(3),
        tracks: [
          .init([
            .init(tick: 0, .meta(.tempo(1_000_000))), .init(tick: tick, .meta(.tempo(500_000))),
          ])
        ]
      ).timeline(sampleRate: 8_000).beatMap.changes
    }
    #expect(try changes(1) == [2_667])
    #expect(try changes(2) == [5_334])
  }

  @Test func `counts nominal beats if ticks are parts of time code`() throws {
    let file = StandardMIDIFile(
      format: .singleTrack, division: .timeCode(.fps25, ticksPerFrame: 40), tracks: [.init([])])
    let map = try file.timeline(sampleRate: 48_000).beatMap
    #expect(map.isNominal)
    #expect(map.beat(at: 48_000) == 2)
    #expect(map.frame(ofBeat: 4) == 96_000)
  }

  @Test func `does not drift in a thousand hours`() throws {
    let file = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [.init([.init(tick: 0, .meta(.tempo(500_000)))])])
    let map = try file.timeline(sampleRate: 48_000).beatMap
    #expect(map.beat(at: 3_600_000 * 48_000 + 6_000) == 7_200_000.25)
    #expect(map.frame(ofBeat: 7_200_000.25) == 3_600_000 * 48_000 + 6_000)
  }
}
