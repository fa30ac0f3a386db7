import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct DelayControllersTests {
  /// Returns a parameter's value after a controller message.
  private func value(_ parameter: DelayParameter, _ controller: UInt8, _ position: UInt8) throws
    -> Float
  {
    var score = Score(input: [Score.silence(1000)])
    score.messages = [(100, ChannelMessage(.controlChange, channel: 5, controller, position))]
    let player = try Player(DelaySource(musicEffect: true), score.format)
    _ = player.play(score)
    return try #require(player.unit.parameters).value(parameter.index)
  }

  @Test(arguments: [
    (DelayParameter.feedback, UInt8(1), Float(0), Float(98)), (.beats, 12, 0.0625, 8),
    (.milliseconds, 13, 1, 4000), (.width, 14, 0, 100), (.tone, 74, 200, 20_000),
    (.sync, 80, 0, 1), (.pingPong, 81, 0, 1), (.mix, 94, 0, 100),
  ])
  func `a controller covers the whole range of its parameter`(
    parameter: DelayParameter, controller: UInt8, minimum: Float, maximum: Float
  ) throws {
    #expect(try value(parameter, controller, 0) == minimum)
    #expect(try abs(value(parameter, controller, 127) / maximum - 1) < 1e-5)
  }

  @Test func `a time in beats has note values`() throws {
    let all = try (0...127).map { try value(.beats, 12, UInt8($0)) }
    let steps = all.reduce(into: [Float]()) { if $0.last != $1 { $0.append($1) } }
    #expect(steps.count == 22)
    #expect(steps.contains(0.5) && steps.contains(0.75) && steps.contains(2 / Float(3)))
    #expect(steps == steps.sorted())
  }

  @Test func `a controller's change takes ten milliseconds`() throws {
    var score = Score(input: [[Float](repeating: 1, count: 2000)])
    score.messages = [(500, ChannelMessage(.controlChange, channel: 0, 94, 0))]
    let played = try Player.play(DelaySource(musicEffect: true), score)[0]
    #expect(played[500] == 1 - 0.35 as Float)
    #expect(abs(played[740] - (1 - 0.175)) < 1e-6)
    #expect(played[979] < 1 && played[980] == 1)
  }

  @Test func `an effect does not change MIDI`() throws {
    var score = Score(input: [Score.noise(1000)])
    let played = try Player.play(DelaySource(), score)
    score.messages = [(0, ChannelMessage(.controlChange, channel: 0, 94, 127))]
    #expect(difference(try Player.play(DelaySource(), score)[0], played[0]) == nil)
  }
}
