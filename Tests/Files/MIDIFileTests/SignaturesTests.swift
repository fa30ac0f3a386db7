import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignaturesTests {
  @Test func `refuses a bar without beats and a beat shorter than a 128th`() {
    #expect(TimeSignature(numerator: 0, denominatorPower: 2) == nil)
    #expect(TimeSignature(numerator: 1, denominatorPower: 8) == nil)
    #expect(TimeSignature(numerator: 255, denominatorPower: 7) != nil)
  }

  @Test func `has 24 clocks per click and 8 thirty-seconds per quarter by default`() {
    #expect(TimeSignature.common.clocksPerClick == 24)
    #expect(TimeSignature.common.thirtySecondsPerQuarter == 8)
  }

  @Test func `refuses more than seven sharps or flats`() {
    #expect(KeySignature(sharps: 7, isMinor: false) != nil)
    #expect(KeySignature(sharps: -7, isMinor: true) != nil)
    #expect(KeySignature(sharps: 8, isMinor: false) == nil)
    #expect(KeySignature(sharps: -8, isMinor: false) == nil)
  }
}
