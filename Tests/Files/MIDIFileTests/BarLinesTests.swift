import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct BarLinesTests {
  /// Returns a tempo map with 1000 frames per quarter note: 8000 frames per second, 125 000 µs per quarter
  /// note.
  private func tempoMap(_ ticksPerQuarter: UInt16) -> TempoMap {
    var map = TempoMap(division: .ticksPerQuarter(ticksPerQuarter), sampleRate: 8_000)
    map.setTempo(125_000, at: 0)
    return map
  }

  private func lines(_ bars: BarLines, _ map: TempoMap, through last: Int64) -> [Int64] {
    var lines: [Int64] = []
    var next = bars.barLine(atOrAfter: 0, map)
    while next <= last {
      lines.append(next)
      next = bars.barLine(atOrAfter: next + 1, map)
    }
    return lines
  }

  @Test func `are four quarter notes apart without a time signature`() {
    let bars = BarLines(ticksPerQuarter: 96)
    #expect(lines(bars, tempoMap(96), through: 12_000) == [0, 4_000, 8_000, 12_000])
    #expect(bars.barLine(atOrAfter: 4_001, tempoMap(96)) == 8_000)
  }

  @Test func `follow the time signature from its tick`() {
    var bars = BarLines(ticksPerQuarter: 96)
    bars.setSignature(TimeSignature(numerator: 3, denominatorPower: 2)!, at: 8 * 96)
    bars.setSignature(TimeSignature(numerator: 6, denominatorPower: 3)!, at: 14 * 96)
    bars.setSignature(TimeSignature(numerator: 5, denominatorPower: 3)!, at: 20 * 96)
    #expect(
      lines(bars, tempoMap(96), through: 23_000)
        == [0, 4_000, 8_000, 11_000, 14_000, 17_000, 20_000, 22_500])
  }

  @Test func `begin again where a time signature cuts a bar short`() {
    var bars = BarLines(ticksPerQuarter: 96)
    bars.setSignature(.common, at: 5 * 96)
    #expect(lines(bars, tempoMap(96), through: 9_000) == [0, 4_000, 5_000, 9_000])
  }

  @Test func `are exact where a bar is not a whole number of ticks`() {
    // 7/8 at one tick per quarter note: a bar is 3.5 ticks.
    var bars = BarLines(ticksPerQuarter: 1)
    bars.setSignature(TimeSignature(numerator: 7, denominatorPower: 3)!, at: 0)
    #expect(lines(bars, tempoMap(1), through: 14_000) == [0, 3_500, 7_000, 10_500, 14_000])
  }

  @Test func `follow the tempo inside a bar`() {
    var map = tempoMap(96)
    map.setTempo(250_000, at: 6 * 96)
    let bars = BarLines(ticksPerQuarter: 96)
    #expect(lines(bars, map, through: 18_000) == [0, 4_000, 10_000, 18_000])
  }

  @Test func `follow the last of several signatures at one tick`() {
    var bars = BarLines(ticksPerQuarter: 96)
    bars.setSignature(TimeSignature(numerator: 3, denominatorPower: 2)!, at: 0)
    bars.setSignature(TimeSignature(numerator: 2, denominatorPower: 2)!, at: 0)
    #expect(lines(bars, tempoMap(96), through: 4_000) == [0, 2_000, 4_000])
  }

  @Test func `continue as long as frames can be counted`() {
    let bars = BarLines(ticksPerQuarter: 96)
    let line = bars.barLine(atOrAfter: Timeline.maximumFrame, tempoMap(96))
    #expect(line % 4_000 == 0)
    #expect(line - Timeline.maximumFrame < 4_000)
  }

  @Test func `are the nearest frame of their true time`() {
    // 1/128 bars at one tick of 1 µs per quarter note: many lines per frame.
    var map = TempoMap(division: .ticksPerQuarter(1), sampleRate: 192_000)
    map.setTempo(1, at: 0)
    var bars = BarLines(ticksPerQuarter: 1)
    bars.setSignature(TimeSignature(numerator: 1, denominatorPower: 7)!, at: 0)
    for frame in [Int64(0), 1, 2, 1_000_000, Timeline.maximumFrame] {
      #expect(bars.barLine(atOrAfter: frame, map) == frame)
    }
  }
}
