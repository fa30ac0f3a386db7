import RenderCore
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct DelayTimeTests {
  private func frames(_ tempo: TempoFollower, _ values: [String: Float]) throws -> Double {
    let board = ParameterStore(DelayParameter.tree)
    try board.set(values)
    var current = board.values
    current.begin()
    return DelayTime.frames(current, tempo, sampleRate: 48_000)
  }

  @Test func `a constant time is rounded to whole frames`() throws {
    #expect(try frames(tempo(127), ["time.beats": 1]) == 22_677)
    #expect(try frames(tempo(127), ["time.sync": 0, "time.ms": 10.01]) == 480)
  }

  @Test func `a changing time is not rounded`() throws {
    let moving = try frames(tempo(127, slope: 0.1), ["time.beats": 1])
    #expect(abs(moving - 60.0 / 127 * 48_000) < 1e-9)
  }

  @Test func `the time is limited to 1 ms to 10 s`() throws {
    #expect(try frames(tempo(1e9), ["time.beats": 0.0625]) == 180)
    #expect(try frames(tempo(1000), ["time.beats": 0.0625]) == 180)
    #expect(try frames(tempo(6), ["time.beats": 8]) == 288_000)
    #expect(try frames(tempo(48), ["time.beats": 8]) == 480_000)
    #expect(try frames(tempo(47.9), ["time.beats": 8]) == 240_501)
    #expect(try frames(tempo(100), ["time.sync": 0, "time.ms": 1]) == 48)
  }
}
