import CFluidSynth
import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SynthControlsTests {
  /// Returns a note with strong effects from a plain FluidSynth with one setting.
  private func plain(_ setting: String?, _ value: Double) throws -> [Float] {
    let plain = try #require(
      PlainSynth(Fonts.timGM6mb) { settings in
        if setting == "synth.chorus.nr" {
          fluid_settings_setint(settings, setting, Int32(value))
        } else if let setting {
          fluid_settings_setnum(settings, setting, value)
        }
      })
    defer { withExtendedLifetime(plain) {} }
    let synth = plain.synth
    fluid_synth_cc(synth, 0, 91, 127)
    fluid_synth_cc(synth, 0, 93, 127)
    fluid_synth_noteon(synth, 0, 60, 100)
    var left = [Float](repeating: 0, count: 20_000)
    var right = left
    fluid_synth_write_float(synth, 20_000, &left, 0, 1, &right, 0, 1)
    return left
  }

  private func note(
    _ identifier: String, _ value: Float, timing: Timing, effects: Effects = Effects()
  ) throws -> [Float] {
    var unit = UnitPerformance()
    unit.change(0, identifier, to: value)
    unit.performance.add(0, .controlChange, 0, 91, 127)
    unit.performance.add(0, .controlChange, 0, 93, 127)
    unit.performance.add(0, .noteOn, 0, 60, 100)
    return try makeUnit(timing, effects: effects).play(unit, frames: 20_000)[0]
  }

  @Test(
    arguments: [
      ("reverb.room", "room-size", 0.8), ("reverb.damping", "damp", 0.6),
      ("reverb.width", "width", 0.9), ("reverb.level", "level", 0.4),
      ("chorus.voices", "nr", 7), ("chorus.level", "level", 5), ("chorus.speed", "speed", 2.5),
      ("chorus.depth", "depth", 15),
    ] as [(String, String, Double)])
  func `an effect's parameter is FluidSynth's setting`(
    identifier: String, name: String, value: Double
  ) throws {
    let effect = identifier.split(separator: ".")[0]
    let stock = try note(identifier, Float(value), timing: .stock)
    let plain = try plain("synth.\(effect).\(name)", Double(Float(value)))
    #expect(stock == plain)
    #expect(try stock != self.plain(nil, 0))
    // In exact timing, the effect's input passes a voice's filter and its inverse: the level is equal, the
    // bits are not.
    func wet(_ timing: Timing) throws -> Float {
      let all = try note(identifier, Float(value), timing: timing)
      let dry = try note(identifier, Float(value), timing: timing, effects: .off)
      return zip(all, dry).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    #expect(try abs(wet(.exact) / wet(.stock) - 1) < 0.1)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `bank and program are bank select and program change on the first channel`(
    timing: Timing
  ) throws {
    func note(_ before: (inout UnitPerformance) -> Void) throws -> [[Float]] {
      var unit = UnitPerformance()
      before(&unit)
      unit.performance.note(100, 0, 60, 100, length: 5000)
      return try makeUnit(timing).play(unit, frames: 10_000)
    }
    let violin = try note { $0.performance.add(0, .programChange, 0, 40) }
    #expect(try note { $0.change(0, "preset.program", to: 40) } == violin)
    #expect(try note { _ in } != violin)
    let kit = try note {
      $0.change(0, "preset.bank", to: 128)
      $0.change(0, "preset.program", to: 0)
    }
    #expect(kit != violin)
    // A missing preset is replaced as usual.
    #expect(
      try note {
        $0.change(0, "preset.bank", to: 77)
        $0.change(0, "preset.program", to: 40)
      } == violin)
    // The later parameter takes precedence.
    #expect(
      try note {
        $0.change(0, "preset.program", to: 3)
        $0.performance.add(50, .programChange, 0, 40)
      } == violin)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a program change moves bank and program`(timing: Timing) throws {
    let unit = try makeUnit(timing)
    var performance = UnitPerformance()
    performance.performance.add(0, .controlChange, 0, 0, 8)
    performance.performance.add(0, .programChange, 0, 40)
    performance.performance.add(0, .programChange, 1, 41)
    _ = unit.play(performance, frames: 100)
    let all = try #require(unit.parameters).all
    #expect(all["preset.bank"] == 8)
    #expect(all["preset.program"] == 40)
  }

  @Test func `an instrument of one preset offers no others`() throws {
    let unit = try makeUnit(preset: PresetSelection(bank: 0, program: 73))
    #expect(unit.presets.isEmpty)
    #expect(unit.parameters?.tree.index(of: "preset.program") == nil)
    #expect(unit.parameters?.tree.index(of: "gain") == 0)
  }
}
