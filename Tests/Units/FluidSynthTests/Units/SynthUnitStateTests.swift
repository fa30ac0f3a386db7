import FluidSynthEngine
import Foundation
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SynthUnitStateTests {
  @Test(
    arguments: Timing.allCases,
    [Effects(), Effects(reverb: true, chorus: false), Effects(reverb: false, chorus: true), .off])
  func `with default parameters, it has the bits of its instrument`(
    timing: Timing, effects: Effects
  ) throws {
    let performance = busyPerformance(seed: 3, seconds: 1)
    let played = try makeUnit(timing, effects: effects)
      .play(UnitPerformance(performance: performance), frames: 60_000)
    let plain = try Instrument.make(
      soundFont: Fonts.timGM6mb, settings: InstrumentSettings(timing: timing, effects: effects)
    ).play(performance, frames: 60_000)
    #expect(played == [plain.left, plain.right])
  }

  /// A performance during which every parameter jumps and ramps.
  private func restless(_ timing: Timing) throws -> UnitPerformance {
    var unit = UnitPerformance(performance: busyPerformance(seed: 8, seconds: 1))
    var random = Seeded(5)
    for parameter in try makeUnit(timing).parameters!.tree.parameters {
      for _ in 0..<6 {
        let isPreset = parameter.identifier == "preset.bank"
        let highest = isPreset ? 2 : parameter.maximum
        let value = Float.random(in: parameter.minimum...highest, using: &random)
        let ramp = Bool.random(using: &random) ? Int.random(in: 1..<9000, using: &random) : 0
        unit.change(
          Int.random(in: 0..<50_000, using: &random), parameter.identifier,
          to: parameter.isStepped ? value.rounded() : value, ramp: ramp)
      }
    }
    unit.changes.sort { $0.frame < $1.frame }
    return unit
  }

  @Test(arguments: [Timing.exact, .stock], [1, 64, 100, 1024, 0])
  func `cycle: parameters that jump and glide do not depend on how it is cut into cycles`(
    timing: Timing, length: Int
  ) throws {
    let restless = try restless(timing)
    let reference = try makeUnit(timing).play(restless, frames: 60_000) { 8192 }
    var random = Seeded(4)
    let played = try makeUnit(timing).play(restless, frames: 60_000) {
      length > 0 ? length : Int.random(in: 1..<3000, using: &random)
    }
    #expect(played == reference)
    #expect(reference[0].contains { $0 != 0 })
  }

  @Test(arguments: [Timing.exact, .stock])
  func `gain acts on its frame, and glides from frame to frame`(timing: Timing) throws {
    var plain = UnitPerformance(performance: busyPerformance(seed: 2, seconds: 0.5))
    let reference = try makeUnit(timing).play(plain, frames: 30_000)
    plain.change(10_001, "gain", to: -6)
    plain.change(20_001, "gain", to: 6, ramp: 5001)
    let played = try makeUnit(timing).play(plain, frames: 30_000) { 777 }
    for channel in 0..<2 {
      for frame in 0..<30_000 {
        let decibels =
          frame < 10_001
          ? 0 : frame < 20_001 ? -6 : -6 + 12 * min(1, Double(frame - 20_001) / 5001)
        let sample = Double(reference[channel][frame])
        let expected = Float(sample * pow(10, decibels / 20))
        let played = played[channel][frame]
        #expect(
          frame < 10_001 ? played == expected : abs(played - expected) <= 1e-6 * abs(expected))
      }
    }
  }

  @Test(arguments: [Timing.exact, .stock])
  func `tuning equals the registered parameter, and survives resets`(timing: Timing) throws {
    func note(_ before: (inout UnitPerformance) -> Void) throws -> [[Float]] {
      var unit = UnitPerformance()
      before(&unit)
      unit.performance.note(640, 3, 60, 100, length: 9000)
      return try makeUnit(timing, effects: .off).play(unit, frames: 15_000)
    }
    let coarse = try note {
      for (controller, value) in [(101, 0), (100, 2), (6, 65)] {
        $0.performance.add(0, .controlChange, 3, controller, value)
      }
    }
    #expect(try note { $0.change(0, "tuning", to: 100) } == coarse)
    #expect(try note { _ in } != coarse)
    #expect(
      try note {
        $0.change(0, "tuning", to: 100)
        $0.performance.add(1, .controlChange, 3, 121, 0)
      } == coarse)
    #expect(
      try note {
        $0.change(0, "tuning", to: 100)
        $0.performance.addSysEx(1, [0x7E, 0x7F, 0x09, 0x01])
      } == coarse)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `sounding notes follow the tuning from their next block`(timing: Timing) throws {
    var unit = UnitPerformance()
    unit.performance.note(7, 0, 60, 100, length: 20_000)
    let reference = try makeUnit(timing, effects: .off).play(unit, frames: 20_000)
    unit.change(5000, "tuning", to: 50)
    let tuned = try makeUnit(timing, effects: .off).play(unit, frames: 20_000)
    let first = zip(reference[0], tuned[0]).enumerated().first { $1.0 != $1.1 }?.offset
    #expect((5000..<5064 + 8).contains(try #require(first)))
  }

  @Test(arguments: [Timing.exact, .stock])
  func `effects that are off from the beginning are not created`(timing: Timing) throws {
    let performance = busyPerformance(seed: 4, seconds: 0.5)
    var unit = UnitPerformance(performance: performance)
    unit.change(0, "reverb.on", to: 0)
    unit.change(0, "chorus.on", to: 0)
    let played = try makeUnit(timing).play(unit, frames: 30_000)
    unit.changes = []
    let dry = try makeUnit(timing, effects: .off).play(unit, frames: 30_000)
    #expect(played == dry)
    let wet = try makeUnit(timing).play(unit, frames: 30_000)
    #expect(zip(wet[0], dry[0]).contains { abs($0 - $1) > 1e-3 })
  }

  @Test func `effects that were off can be switched on`() throws {
    var unit = UnitPerformance(performance: busyPerformance(seed: 4, seconds: 0.5))
    let reference = try makeUnit(effects: .off).play(unit, frames: 30_000)
    unit.change(10_000, "reverb.on", to: 1)
    let played = try makeUnit(effects: .off).play(unit, frames: 30_000)
    let first = try #require(zip(reference[0], played[0]).enumerated().first { $1.0 != $1.1 })
    #expect(first.offset > 10_000 && first.offset < 12_000)
  }

  @Test func `a reverb that is switched off decays, and receives nothing more`() throws {
    func play(note frame: Int, off: Int?) throws -> [Float] {
      var unit = UnitPerformance()
      unit.change(0, "chorus.on", to: 0)
      if let off { unit.change(off, "reverb.on", to: 0) }
      unit.performance.add(0, .controlChange, 9, 91, 127)
      unit.performance.note(frame, 9, 40, 127, length: 100)
      return try makeUnit().play(unit, frames: 60_000)[0]
    }
    #expect(try play(note: 0, off: 40_000) == play(note: 0, off: nil))
    let dry = try play(note: 10_000, off: 0)
    // With no input, a reverb outputs −150 dBFS. Its output is delayed by 64 frames from the start of the
    // block.
    let switched = try play(note: 10_000, off: 10_000)
    #expect(switched.dropFirst(10_112) == dry.dropFirst(10_112))
    #expect(zip(switched, dry).prefix(10_112).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(try play(note: 10_000, off: nil) != dry)
  }

  @Test func `with a library that fixes its sends, effects stay as in the settings`() throws {
    var unit = UnitPerformance(performance: busyPerformance(seed: 4, seconds: 0.2))
    func play() throws -> [[Float]] {
      var settings = InstrumentSettings()
      settings.presumesSends = false
      return try InstrumentSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
        .makeUnit(Format()).play(unit, frames: 20_000)
    }
    let reference = try play()
    unit.change(0, "reverb.on", to: 0)
    unit.change(100, "chorus.speed", to: 5, ramp: 1000)
    #expect(try play() == reference)
  }

  @Test func `a value that is set immediately acts from the next cycle, and can be read`() throws {
    let unit = try makeUnit()
    let parameters = try #require(unit.parameters)
    try parameters.set("gain", to: -12)
    let index = try #require(parameters.tree.index(of: "gain"))
    #expect(parameters.value(index) == -12)
    var note = UnitPerformance()
    note.performance.note(0, 0, 60, 100, length: 900)
    let quiet = unit.play(note, frames: 1000)[0].map { abs($0) }.max()!
    let loud = try makeUnit().play(note, frames: 1000)[0].map { abs($0) }.max()!
    #expect(abs(quiet / loud - 0.251_189) < 1e-5)
    #expect(parameters.value(index) == -12)
  }

  @Test func `values out of range are refused with the range`() throws {
    let parameters = try #require(try makeUnit().parameters)
    for (identifier, value, sentence) in [
      ("gain", 24.5, "gain must be -96 to 24 dB, but is 24.5"),
      ("chorus.voices", 100, "chorus.voices must be 0 to 99, but is 100"),
      ("reverb.room", -0.5, "reverb.room must be 0 to 1, but is -0.5"),
    ] as [(String, Float, String)] {
      let error = #expect(throws: ParameterError.self) {
        try parameters.set(identifier, to: value)
      }
      #expect(error?.description == sentence)
    }
  }
}
