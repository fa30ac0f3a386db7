import CRealtime
import Effects
import MIDICore
import Testing

/// Effects under RealtimeSanitizer, which ends the process at the first call that allocates, locks or blocks.
@Suite(
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test func `nothing in a delay allocates, locks or blocks`() throws {
    var score = DelayUnitTests.eventful
    score.messages = (0..<128).map {
      ($0 * 200, ChannelMessage(.controlChange, channel: 0, UInt8($0), 100))
    }
    let played = try Player.play(DelaySource(musicEffect: true), score)
    #expect(played[0].contains { $0 != 0 })
  }

  @Test func `nothing in a resonator allocates, locks or blocks`() throws {
    var score = ResonatorUnitTests.eventful
    score.messages += (20..<60).map { (12_000, ChannelMessage(.noteOn, channel: 1, $0, 100)) }
    score.messages += (0..<128).map {
      (13_000, ChannelMessage(.controlChange, channel: 1, $0, 100))
    }
    score.sysEx = [(14_000, [0x7E, 0x7F, 0x09, 0x01])]
    let played = try Player.play(ResonatorSource(), score)
    #expect(played[0].contains { $0 != 0 })
  }
}
