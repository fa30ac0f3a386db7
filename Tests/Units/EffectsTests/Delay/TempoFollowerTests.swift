import RenderCore
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(1))) struct TempoFollowerTests {
  @Test(arguments: [0, -5, Double.nan]) func `a tempo that is none is not followed`(value: Double) {
    #expect(!tempo(value).isKnown)
  }

  @Test func `a tempo stands while the song does`() {
    var transport = Transport()
    transport.tempoSlope = 1
    #expect(!TempoFollower(transport).isChanging)
    var moving = tempo(100, slope: 0.5)
    moving.advance(frames: 20)
    #expect(moving.value == 110)
  }
}
