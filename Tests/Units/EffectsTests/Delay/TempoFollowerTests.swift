import RenderCore
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct TempoFollowerTests {
  @Test(arguments: [0, -5, Double.nan]) func `an invalid tempo is ignored`(value: Double) {
    #expect(!tempo(value).isKnown)
  }

  @Test func `the tempo is constant while the song is stopped`() {
    var transport = Transport()
    transport.tempoSlope = 1
    #expect(!TempoFollower(transport).isChanging)
    var moving = tempo(100, slope: 0.5)
    moving.advance(frames: 20)
    #expect(moving.value == 110)
  }
}
