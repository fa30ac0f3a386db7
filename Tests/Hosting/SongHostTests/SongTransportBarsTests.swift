import LivePlayer
import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct SongTransportBarsTests {
  /// A bar of 4/4, one of 3/4, then 5/4: the bars begin on beats 0, 4, 7 and 12.
  private let song = Songs.silent(
    .ticksPerQuarter(480),
    [
      (0, .timeSignature(TimeSignature(numerator: 4, denominatorPower: 2)!)),
      (1920, .timeSignature(TimeSignature(numerator: 3, denominatorPower: 2)!)),
      (3360, .timeSignature(TimeSignature(numerator: 5, denominatorPower: 2)!)),
    ])

  @Test(arguments: [
    // For each beat: the beginnings of the previous bar and of the next bar.
    (0.0, 0.0, 4.0), (0.5, 0, 4), (3.9, 0, 4), (4, 0, 7), (4.5, 0, 7), (6, 4, 7), (7, 4, 12),
    (8.5, 7, 12), (12, 7, 17), (-3, 0, 0),
  ])
  func `jumps to existing bars of any length`(
    beat: Double, before: Double, after: Double
  ) throws {
    var transport = SongTransport(try song.timeline(sampleRate: 48_000).beatMap)
    transport.jump(toBeat: beat)
    #expect(transport.beat(barsAway: -1) == before)
    #expect(transport.beat(barsAway: 1) == after)
  }
}
