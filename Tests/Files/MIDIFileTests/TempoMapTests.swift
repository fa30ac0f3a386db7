import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct TempoMapTests {
  /// 499 999 µs per quarter note, 480 ticks each: 120.00024 per minute, for ten hours. The expected frames
  /// were computed
  /// separately with exact fractions.
  @Test(
    arguments: [
      (44_100, 1_587_597_146), (48_000, 1_727_996_894), (192_000, 6_911_987_576),
    ] as [(Int, Int64)])
  func `does not drift in ten hours of an odd tempo`(rate: Int, frame: Int64) {
    var map = TempoMap(division: .ticksPerQuarter(480), sampleRate: rate)
    map.setTempo(499_999, at: 0)
    #expect(map.frame(ofTick: 34_560_007) == frame)
  }

  /// 16 777 213 and 9 999 991 µs per quarter note alternately, 7 ticks each, for ten hours. The expected
  /// frames were
  /// computed separately with exact fractions.
  @Test(
    arguments: [
      (44_100, [105_696, 168_696, 65_559_894, 1_587_707_378]),
      (96_000, [230_087, 367_230, 142_715_415, 3_456_233_747]),
    ] as [(Int, [Int64])])
  func `does not drift when the tempo changes at every tick`(rate: Int, frames: [Int64]) {
    var map = TempoMap(division: .ticksPerQuarter(7), sampleRate: rate)
    for tick in Int64(0)..<18_823 {
      map.setTempo(tick % 2 == 0 ? 16_777_213 : 9_999_991, at: tick)
    }
    #expect([1, 2, 777, 18_823].map { map.frame(ofTick: $0) } == frames)
  }

  /// 80 ticks per frame, 3 ticks after ten hours. The expected frames were computed separately with exact
  /// fractions.
  @Test(
    arguments: [
      (.fps24, 69_120_003, 1_728_000_075, 1_587_600_069),
      (.fps25, 72_000_003, 1_728_000_072, 1_587_600_066),
      (.fps29Drop, 86_313_689, 1_728_000_054, 1_587_600_049),
      (.fps30, 86_400_003, 1_728_000_060, 1_587_600_055),
    ] as [(Division.FrameRate, Int64, Int64, Int64)])
  func `does not drift in ten hours of time code`(
    rate: Division.FrameRate, tick: Int64, at48000: Int64, at44100: Int64
  ) {
    let division = Division.timeCode(rate, ticksPerFrame: 80)
    #expect(TempoMap(division: division, sampleRate: 48_000).frame(ofTick: tick) == at48000)
    #expect(TempoMap(division: division, sampleRate: 44_100).frame(ofTick: tick) == at44100)
  }

  @Test func `is never more than half a frame from the true time`() {
    var numbers = SeededNumbers(state: 1)
    for rate in [8_000, 11_025, 44_100, 48_000, 192_000] {
      let ticksPerQuarter = UInt16.random(in: 1...0x7FFF, using: &numbers)
      var map = TempoMap(division: .ticksPerQuarter(ticksPerQuarter), sampleRate: rate)
      var (tick, microseconds, tempo) = (Int64(0), Int128(0), Int128(500_000))
      for _ in 0..<500 {
        let step = Int64.random(in: 0...1 << 20, using: &numbers)
        (tick, microseconds) = (tick + step, microseconds + Int128(step) * tempo)
        // |frame / rate − time| ≤ 1 / (2 rate), multiplied by all denominators.
        let unit = Int128(ticksPerQuarter) * 1_000_000
        let error = Int128(map.frame(ofTick: tick)) * unit - microseconds * Int128(rate)
        #expect(2 * error <= unit && -2 * error < unit)
        tempo = Int128.random(in: 1...0xFF_FFFF, using: &numbers)
        map.setTempo(UInt32(tempo), at: tick)
      }
    }
  }

  @Test func `rounds a time half-way between two frames to the later one`() {
    // A tick is 1/16 ms, which is half a frame at 8000 frames per second.
    var map = TempoMap(division: .ticksPerQuarter(16), sampleRate: 8_000)
    map.setTempo(1_000, at: 0)
    #expect((0...4).map { map.frame(ofTick: $0) } == [0, 1, 1, 2, 2])
  }

  @Test func `assumes 120 quarter notes per minute before the first tempo`() {
    var map = TempoMap(division: .ticksPerQuarter(2), sampleRate: 48_000)
    map.setTempo(1_000_000, at: 4)
    #expect([2, 4, 6].map { map.frame(ofTick: $0) } == [24_000, 48_000, 96_000])
    #expect(map.seconds(ofTick: 6) == 2)
  }

  @Test func `uses the last of several tempos at one tick`() {
    var map = TempoMap(division: .ticksPerQuarter(1), sampleRate: 8_000)
    map.setTempo(1, at: 1)
    map.setTempo(2_000_000, at: 1)
    map.setTempo(1_000_000, at: 1)
    #expect([1, 2, 3].map { map.frame(ofTick: $0) } == [4_000, 12_000, 20_000])
  }

  @Test func `finds the first tick at or after a frame`() {
    var numbers = SeededNumbers(state: 2)
    var map = TempoMap(division: .ticksPerQuarter(24), sampleRate: 44_100)
    for tick in stride(from: Int64(0), to: 2_000, by: 50) {
      map.setTempo(UInt32.random(in: 1...100_000, using: &numbers), at: tick)
    }
    for _ in 0..<2_000 {
      let frame = Int64.random(in: 0...map.frame(ofTick: 2_500), using: &numbers)
      let tick = Int64(map.position(atOrAfter: frame, scale: 1))
      #expect(map.frame(ofTick: tick) >= frame)
      #expect(tick == 0 || map.frame(ofTick: tick - 1) < frame)
    }
  }

  @Test func `agrees with itself between ticks`() {
    var map = TempoMap(division: .ticksPerQuarter(3), sampleRate: 48_000)
    map.setTempo(333_333, at: 5)
    for tick in Int64(0)..<40 {
      #expect(map.frame(ofPosition: UInt128(tick) * 128, scale: 128) == map.frame(ofTick: tick))
    }
    // Half a tick, which is a third of half a second.
    #expect(map.frame(ofPosition: 1, scale: 2) == 4_000)
  }

  @Test func `clamps a frame that is too large`() {
    var map = TempoMap(division: .ticksPerQuarter(1), sampleRate: 192_000)
    map.setTempo(0xFF_FFFF, at: 0)
    #expect(map.frame(ofTick: .max) == .max)
  }
}
