import RenderCore
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct TuningTests {
  private func settings(_ values: [String: Float]) throws -> ResonatorSettings {
    let board = ParameterStore(ResonatorParameter.tree)
    try board.set(values)
    var current = board.values
    current.begin()
    return ResonatorSettings(current, sampleRate: 48_000)
  }

  @Test func `a string loses 60 dB in its decay`() throws {
    let tuning = Tuning(key: 69, try settings(["decay": 1, "damping": 20_000]))
    #expect(abs(tuning.delay - 48_000 / 440.0) < 1e-9)
    // 440 periods are one second.
    let left = (0..<440).reduce(1.0) { left, _ in left * Double(tuning.feedback) }
    #expect(abs(left - 0.001) < 1e-6)
    #expect(abs(tuning.feedback * tuning.feedback + tuning.drive * tuning.drive - 1) < 1e-6)
  }

  @Test(arguments: [200, 1000, 20_000] as [Float])
  func `every key's period fits into the delay line`(
    damping: Float
  ) throws {
    let settings = try settings(["damping": damping])
    for key in stride(from: -2.0, through: 129, by: 0.5) {
      let tuning = Tuning(key: key, settings)
      #expect(tuning.delay >= 2 && tuning.delay < 6600)
      #expect(tuning.feedback < 1)
    }
  }
}
