import FluidSynthEngine
import Foundation
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LayerUnitTests {
  private func layer(
    _ timing: Timing = .exact, inputs: Int = 2, effects: Effects = Effects()
  ) throws -> any RenderUnit {
    try LayerSource(
      soundFont: .open(Fonts.timGM6mb),
      settings: InstrumentSettings(timing: timing, effects: effects)
    ).makeUnit(
      Format(sampleRate: 48_000, inputChannels: inputs, outputChannels: 2, maximumFrames: 8192))
  }

  private func noise(_ frames: Int, seed: UInt64 = 1) -> [Float] {
    var random = Seeded(seed)
    return (0..<frames).map { _ in .random(in: -1...1, using: &random) }
  }

  @Test func `without notes and effects, the input passes bit for bit`() throws {
    var unit = UnitPerformance()
    unit.input = [noise(3000), noise(3000, seed: 2)]
    unit.input[0][7] = -0.0
    unit.input[1][8] = .leastNonzeroMagnitude
    unit.change(0, "duck.amount", to: 24)
    let played = try layer(effects: .off).play(unit, frames: 3000)
    for channel in 0..<2 {
      #expect(played[channel].map(\.bitPattern) == unit.input[channel].map(\.bitPattern))
    }
    let wet = try layer().play(unit, frames: 3000)
    #expect(zip(wet[0], unit.input[0]).allSatisfy { abs($0 - $1) < 2e-7 })
  }

  @Test(arguments: [Timing.exact, .stock])
  func `superposition: without ducking, it is the sum of the input and the instrument`(
    timing: Timing
  ) throws {
    var unit = UnitPerformance(performance: busyPerformance(seed: 3, seconds: 0.5))
    let notes = try makeUnit(timing).play(unit, frames: 30_000)
    unit.input = [noise(30_000), noise(30_000, seed: 2)]
    let played = try layer(timing).play(unit, frames: 30_000)
    for channel in 0..<2 {
      let sum = zip(unit.input[channel], notes[channel]).map { $0 + $1 }
      #expect(played[channel] == sum)
    }
  }

  @Test func `a mono input goes to both channels`() throws {
    var unit = UnitPerformance()
    unit.input = [noise(500)]
    let played = try layer(inputs: 1, effects: .off).play(unit, frames: 500)
    #expect(played == [unit.input[0], unit.input[0]])
  }

  @Test func `zero latency: a note and the input of its frame are heard at that frame`() throws {
    for frame in [0, 1, 63, 500] {
      var unit = UnitPerformance()
      unit.input = [[Float](repeating: 0, count: 1000), [Float](repeating: 0, count: 1000)]
      unit.performance.add(frame, .noteOn, 9, 40, 127)
      let silent = try layer(effects: .off).play(unit, frames: 1000)[0]
      #expect(silent.firstIndex { $0 != 0 }.map { (frame...frame + 2).contains($0) } == true)
      unit.input[0][frame] = 0.5
      let heard = try layer(effects: .off).play(unit, frames: 1000)[0]
      #expect(heard[frame] == silent[frame] + 0.5)
    }
  }

  @Test(arguments: [1, 64, 100, 1024, 0])
  func `cycle: the output does not depend on how it is cut into cycles`(length: Int) throws {
    var unit = UnitPerformance(performance: busyPerformance(seed: 3, seconds: 0.5))
    unit.input = [noise(30_000), noise(30_000, seed: 2)]
    unit.change(10, "duck.amount", to: 20, ramp: 5000)
    unit.change(77, "duck.attack", to: 50, ramp: 3000)
    unit.change(3000, "duck.release", to: 20, ramp: 77)
    unit.change(9000, "input.level", to: -20, ramp: 9000)
    unit.change(9500, "gain", to: 3, ramp: 500)
    unit.change(20_001, "duck.amount", to: 3)
    let reference = try layer().play(unit, frames: 30_000) { 8192 }
    var random = Seeded(11)
    let played = try layer().play(unit, frames: 30_000) {
      length > 0 ? length : Int.random(in: 1..<3000, using: &random)
    }
    #expect(played == reference)
  }

  @Test func `the input's level changes on its frame`() throws {
    var unit = UnitPerformance()
    unit.input = [noise(3000), noise(3000, seed: 2)]
    unit.change(1001, "input.level", to: 12, ramp: 1000)
    let played = try layer(effects: .off).play(unit, frames: 3000) { 256 }
    for frame in 0..<3000 {
      let decibels = frame < 1001 ? 0 : 12 * min(1, Double(frame - 1001) / 1000)
      let expected = Float(Double(unit.input[0][frame]) * pow(10, decibels / 20))
      #expect(abs(played[0][frame] - expected) <= 1e-6 * abs(expected))
    }
  }

  @Test func `the ducking follows the instrument's own output`() throws {
    var unit = UnitPerformance()
    unit.performance.note(1000, 0, 60, 127, length: 20_000)
    let notes = try makeUnit().play(unit, frames: 60_000)
    unit.input = [noise(60_000), noise(60_000, seed: 2)]
    unit.change(0, "duck.amount", to: 12)
    unit.change(0, "duck.attack", to: 10)
    unit.change(0, "duck.release", to: 100)
    let played = try layer().play(unit, frames: 60_000)
    var envelope = 0.0
    var least = 1.0
    for frame in 0..<60_000 {
      let loudest = Double(max(abs(notes[0][frame]), abs(notes[1][frame])))
      let peak = loudest < 1e-6 ? 0 : loudest
      let time = peak > envelope ? 0.010 : 0.100
      envelope += (peak - envelope) * (1 - exp(-1 / (time * 48_000)))
      let factor = pow(10, -12 * min(1, envelope / 0.1) / 20)
      least = min(least, factor)
      let expected = unit.input[1][frame] * Float(factor) + notes[1][frame]
      #expect(abs(played[1][frame] - expected) < 2e-6)
    }
    #expect(least < 0.9)
  }

  @Test func `NaN is silence for its frame, and has no effect later`() throws {
    var unit = UnitPerformance(performance: busyPerformance(seed: 3, seconds: 0.2))
    unit.change(0, "duck.amount", to: 12)
    unit.input = [noise(20_000), noise(20_000, seed: 2)]
    for (frame, value) in [(500, 0), (900, 0), (5000, 0)] {
      unit.input[0][frame] = Float(value)
      unit.input[1][frame + 1] = Float(value)
    }
    let reference = try layer().play(unit, frames: 20_000)
    for (frame, value) in [(500, Float.nan), (900, .infinity), (5000, -.infinity)] {
      unit.input[0][frame] = value
      unit.input[1][frame + 1] = value
    }
    #expect(try layer().play(unit, frames: 20_000) == reference)
  }

  @Test func `it has its own and the instrument's parameters, presets and state`() throws {
    let layer = try layer(effects: .off)
    let instrument = try makeUnit(effects: .off)
    let names = try #require(layer.parameters).tree.parameters.map(\.identifier)
    #expect(names.starts(with: instrument.parameters!.tree.parameters.map(\.identifier)))
    #expect(names.suffix(4) == ["input.level", "duck.amount", "duck.attack", "duck.release"])
    #expect(layer.presets == instrument.presets)
    #expect(layer.latency == 0)
    var unit = UnitPerformance()
    unit.performance.add(0, .programChange, 5, 40)
    unit.input = [noise(64), noise(64)]
    _ = layer.play(unit, frames: 64)
    try instrument.restore(layer.save())
    #expect(instrument.save() == layer.save())
    let error = #expect(throws: ParameterError.self) {
      try layer.parameters?.set("duck.amount", to: 25)
    }
    #expect(error?.description == "duck.amount must be 0 to 24 dB, but is 25")
  }
}
