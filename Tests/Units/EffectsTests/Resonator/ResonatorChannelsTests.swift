import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct ResonatorChannelsTests {
  private static func player() throws -> Player {
    try Player(ResonatorSource(), Format(inputChannels: 1, outputChannels: 1, maximumFrames: 4096))
  }

  /// Returns noise with notes on two channels, after `messages`.
  private static func notes(_ messages: [ChannelMessage] = []) -> Score {
    var score = Score(input: [Score.noise(4000)])
    score.messages =
      messages.map { (0, $0) } + [
        (0, ChannelMessage(.noteOn, channel: 0, 60, 100)),
        (0, ChannelMessage(.noteOn, channel: 1, 67, 100)),
        (1000, ChannelMessage(.noteOff, channel: 0, 60, 64)),
        (1000, ChannelMessage(.noteOff, channel: 1, 67, 64)),
      ]
    return score
  }

  @Test(arguments: [0, 1, 8191, 8192, 16_383])
  func `bends and pedals are saved, and restored from the first frame`(
    bend: UInt16
  ) throws {
    let told = [
      ChannelMessage(.pitchBend, channel: 0, UInt8(bend & 127), UInt8(bend >> 7)),
      ChannelMessage(.controlChange, channel: 1, 64, 127),
    ]
    var settling = Score(input: [Score.silence(64)])
    settling.messages = told.map { (0, $0) }
    let first = try Self.player()
    _ = first.play(settling)
    let state = first.unit.save()

    let second = try Self.player()
    try second.unit.restore(state)
    // The state is also available before the unit is rendered.
    #expect(second.unit.save() == state)
    let played = second.play(Self.notes())
    #expect(second.unit.save() == state)
    #expect(difference(played[0], try Self.player().play(Self.notes(told))[0]) == nil)
    #expect((difference(played[0], try Self.player().play(Self.notes())[0]) == nil) == false)
  }

  @Test func `an empty state is that of a fresh unit`() throws {
    let fresh = try Self.player().unit.save()
    let player = try Self.player()
    _ = player.play(Self.notes([ChannelMessage(.pitchBend, channel: 5, 0, 0)]))
    #expect(player.unit.save() != fresh)
    try player.unit.restore([])
    #expect(player.unit.save() == fresh)
  }

  @Test(arguments: [
    ([2] + [UInt8](repeating: 0, count: 32), ResonatorStateError.unknownVersion(2)),
    ([1], .broken), ([1] + [UInt8](repeating: 0x80, count: 32), .broken),
    ([1] + [UInt8](repeating: 0, count: 33), .broken),
  ])
  func `data that is not a state changes nothing`(data: [UInt8], error: ResonatorStateError) throws
  {
    let player = try Self.player()
    let before = player.unit.save()
    #expect(throws: error) { try player.unit.restore(data) }
    #expect(player.unit.save() == before)
  }
}
