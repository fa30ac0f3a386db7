import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct DivisionTests {
  @Test func `counts microseconds of a tick of a quarter note`() {
    let division = Division.ticksPerQuarter(96)
    #expect(division.unitsPerSecond == 96_000_000)
    #expect(division.unitsPerTick(tempo: 500_001) == 500_001)
  }

  @Test(
    arguments: [
      (.fps24, 24, 1), (.fps25, 25, 1), (.fps29Drop, 30_000, 1001), (.fps30, 30, 1),
    ] as [(Division.FrameRate, UInt64, UInt64)])
  func `time code has its own rate, whatever the tempo`(
    rate: Division.FrameRate, units: UInt64, perTick: UInt64
  ) {
    let division = Division.timeCode(rate, ticksPerFrame: 80)
    #expect(division.unitsPerSecond == units * 80)
    #expect(division.unitsPerTick(tempo: 1) == perTick)
    #expect(division.unitsPerTick(tempo: 16_777_215) == perTick)
  }

  @Test func `is valid within the numbers that a header can hold`() {
    #expect(!Division.ticksPerQuarter(0).isValid)
    #expect(Division.ticksPerQuarter(1).isValid)
    #expect(Division.ticksPerQuarter(0x7FFF).isValid)
    #expect(!Division.ticksPerQuarter(0x8000).isValid)
    #expect(!Division.timeCode(.fps25, ticksPerFrame: 0).isValid)
    #expect(Division.timeCode(.fps25, ticksPerFrame: 255).isValid)
  }
}
