import CRender
import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

/// Runs effects under RealtimeSanitizer, which ends the process at the first call that allocates, locks or
/// blocks. Tests without an expectation rely on that.
@Suite(
  .timeLimit(.minutes(5)),
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

  @Test func `a resonator whose state is restored neither allocates, locks nor blocks`() throws {
    let score = ResonatorUnitTests.eventful
    let player = try Player(ResonatorSource(), score.format)
    _ = player.play(score)
    try player.unit.restore(player.unit.save())
    _ = player.play(score)
    try player.unit.restore([])
    #expect(player.play(score)[0].contains { $0 != 0 })
  }

  @Test func `nothing in a split allocates, locks or blocks`() throws {
    let source = SplitSource([
      .init(channels: 1, MetronomeSource()), .init(channels: 2, MetronomeSource()),
    ])
    var score = Score(length: 48_000, channels: 2)
    score.messages = (0..<128).map {
      ($0 * 200, ChannelMessage(.noteOn, channel: UInt8($0 & 3), UInt8($0), 100))
    }
    var transport = Transport()
    (transport.isPlaying, transport.tempo) = (true, 150)
    score.transports = [(0, transport)]
    #expect(try Player.play(source, score)[0].contains { $0 != 0 })
  }

  @Test func `nothing in a metronome allocates, locks or blocks`() throws {
    let tree = MetronomeParameter.tree
    var score = Score(input: [Score.silence(96_000)])
    var transport = Transport()
    transport.isPlaying = true
    transport.tempo = 150
    transport.tempoSlope = 1 / 1024
    score.transports = [(0, transport)]
    for (frame, beat) in [(20_000, -3.0), (30_000, 7), (30_001, 2), (40_000, 0.01)] {
      transport.beat = beat
      score.transports.append((frame, transport))
    }
    transport.provides = .state
    score.transports.append((60_000, transport))
    for (place, parameter) in tree.parameters.enumerated() {
      let frame = 3000 * (place + 1)
      score.set(tree, parameter.identifier, parameter.maximum, at: frame, ramp: 2000)
    }
    let format = Format(inputChannels: 0, outputChannels: 2, maximumFrames: 4096)
    let played = try Player(MetronomeSource(), format).play(score)
    #expect(played[0].contains { $0 != 0 })
  }
}
