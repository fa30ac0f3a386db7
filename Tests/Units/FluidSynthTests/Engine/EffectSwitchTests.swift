import FluidSynthEngine
import RenderCore
import TestSupport
import Testing

/// Tests of effects that parameters switch off.
@Suite(.timeLimit(.minutes(5))) struct EffectSwitchTests {
  private func note(off frame: Int, on later: Int? = nil) -> UnitPerformance {
    var unit = UnitPerformance()
    for identifier in ["reverb.on", "chorus.on"] { unit.change(frame, identifier, to: 0) }
    if let later {
      for identifier in ["reverb.on", "chorus.on"] { unit.change(later, identifier, to: 1) }
    }
    unit.performance.add(0, .controlChange, 0, 91, 127)
    unit.performance.add(0, .controlChange, 0, 93, 127)
    unit.performance.note(100, 0, 60, 100, length: 4000)
    return unit
  }

  @Test(arguments: Timing.allCases)
  func `an effect is off by its parameter or by the settings`(timing: Timing) throws {
    let byParameters = try makeUnit(timing).play(note(off: 0), frames: 60_000)
    let bySettings = try makeUnit(timing, effects: .off).play(note(off: 0), frames: 60_000)
    #expect(byParameters == bySettings)
    #expect(
      byParameters[0].contains { $0 != 0 } && byParameters[0].suffix(100).allSatisfy { $0 == 0 })
  }

  @Test func `switched off while it sounds, an effect fades to exact silence`() throws {
    let played = try makeUnit().play(note(off: 5000), frames: 480_000)
    #expect(played[0][20_000..<40_000].contains { abs($0) > 1e-5 })
    #expect(played[0].suffix(48_000).allSatisfy { $0 == 0 })
    #expect(played[1].suffix(48_000).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [64, 100, 480, 0])
  func `cycle: holds where effects are switched off and on`(length: Int) throws {
    var unit = note(off: 5003, on: 400_001)
    unit.performance.note(400_100, 0, 64, 100, length: 4000)
    let frames = 430_000
    let reference = try makeUnit().play(unit, frames: frames)
    var random = Seeded(3)
    let played = try makeUnit().play(
      unit, frames: frames,
      cycles: { length > 0 ? length : Int.random(in: 1..<3000, using: &random) })
    #expect(played == reference)
    #expect(played[0][300_000..<400_000].allSatisfy { $0 == 0 })
    #expect(played[0].suffix(1000).contains { $0 != 0 })
  }
}
