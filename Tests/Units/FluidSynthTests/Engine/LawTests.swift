import FluidSynthEngine
import Foundation
import RenderCore
import TestSupport
import Testing
import noisefont

/// Returns a dense random performance: chords, drums with chokes, pedals, bends, controllers and programs.
func busyPerformance(seed: UInt64, seconds: Double = 3, rate: Int = 48_000) -> Performance {
  var random = Seeded(seed)
  var performance = Performance()
  let end = Int(seconds * Double(rate))
  for channel in 0..<16 where channel != 9 {
    performance.add(0, .programChange, channel, Int.random(in: 0..<128, using: &random))
    performance.add(0, .controlChange, channel, 91, Int.random(in: 0..<128, using: &random))
    performance.add(0, .controlChange, channel, 93, Int.random(in: 0..<128, using: &random))
    performance.add(0, .controlChange, channel, 10, Int.random(in: 0..<128, using: &random))
  }
  var frame = 0
  while frame < end {
    frame += Int.random(in: 1..<2400, using: &random)
    let channel = Int.random(in: 0..<16, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      performance.add(frame, .controlChange, channel, 64, Bool.random(using: &random) ? 127 : 0)
    case 1: performance.add(frame, .pitchBend, channel, Int.random(in: 0..<128, using: &random), 80)
    case 2:
      performance.add(frame, .controlChange, channel, 11, Int.random(in: 40..<128, using: &random))
    case 3:
      performance.add(frame, .controlChange, channel, 1, Int.random(in: 0..<128, using: &random))
    case 4:
      performance.add(frame, .controlChange, channel, 66, Bool.random(using: &random) ? 127 : 0)
    case 5:
      performance.add(frame, .channelPressure, channel, Int.random(in: 0..<128, using: &random))
    default:
      let key =
        channel == 9
        ? Int.random(in: 35..<82, using: &random) : Int.random(in: 36..<90, using: &random)
      performance.note(
        frame, channel, key, Int.random(in: 30..<128, using: &random),
        length: Int.random(in: 500..<30_000, using: &random))
    }
  }
  return performance
}

@Suite("Laws", .timeLimit(.minutes(5))) struct LawTests {
  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb])
  func `onset: a whole performance shifted by k frames gives its bits shifted by k`(
    font: String
  ) throws {
    let performance = busyPerformance(seed: 7)
    let frames = performance.end + 48_000
    func play(shift: Int) throws -> RenderedSound {
      let instrument = try ExactInstrument(soundFont: font, settings: InstrumentSettings())
      return try instrument.play(performance.shifted(by: shift), frames: frames + shift)
    }
    let reference = try play(shift: 0)
    #expect(reference.sums[0].contains { $0 != 0 })
    #expect(reference.sums[2].contains { $0 != 0 })
    for shift in [1, 17, 63, 64, 1000] {
      #expect(try play(shift: shift).sums(from: shift) == reference.sums, "shift \(shift)")
    }
  }

  @Test(arguments: [1, 16, 64, 100, 480, 1024, 0])
  func `cycle: the output does not depend on how it is cut into cycles`(length: Int) throws {
    let performance = busyPerformance(seed: 3, seconds: 1)
    let frames = performance.end + 20_000
    func play(_ cycles: @escaping () -> Int) throws -> RenderedSound {
      let instrument = try ExactInstrument(
        soundFont: Fonts.timGM6mb, settings: InstrumentSettings())
      return try instrument.play(performance, frames: frames, cycles: cycles)
    }
    let reference = try play { 8192 }
    var random = Seeded(11)
    let recording = try play { length > 0 ? length : Int.random(in: 1..<3000, using: &random) }
    #expect(recording == reference)
  }

  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb, Fonts.bundled])
  func `onset: a note at any frame equals the note at frame 0, whatever sounded before`(
    font: String
  ) throws {
    let length = 12_000
    var random = Seeded(1)
    let presets: [(channel: Int, program: Int, key: Int)] =
      stride(from: 0, to: 128, by: 5).map { (0, $0, Int.random(in: 40..<80, using: &random)) }
      + stride(from: 35, to: 82, by: 4).map { (9, 0, $0) }
    for preset in presets {
      func performance(at frame: Int, velocity: Int = 100) -> Performance {
        var performance = Performance()
        performance.add(0, .programChange, preset.channel, preset.program)
        performance.add(0, .controlChange, preset.channel, 91, 90)
        performance.add(0, .controlChange, preset.channel, 93, 60)
        performance.note(frame, preset.channel, preset.key, velocity, length: 6000)
        return performance
      }
      let instrument = try self.instrument(font)
      let reference = try instrument.play(performance(at: 0), frames: length)
      // In between, other notes with other pans use the same lanes and voice slots.
      for offset in [1, 31, 64 + 63].shuffled(using: &random) {
        var junk = performance(at: 0, velocity: 30)
        junk.add(0, .controlChange, preset.channel, 10, Int.random(in: 0..<128, using: &random))
        junk.add(40_000, .controlChange, preset.channel, 10, 64)
        junk.add(40_000, .controlChange, preset.channel, 120, 0)
        _ = try instrument.play(junk, frames: 48_000)
        let recording = try instrument.play(performance(at: offset), frames: length + offset)
        #expect(
          recording.sums(from: offset) == reference.sums,
          "channel \(preset.channel) program \(preset.program) key \(preset.key) offset \(offset)")
      }
    }
  }

  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb, Fonts.bundled], [false, true])
  func `superposition: the sums of the parts are the sums of the whole`(
    font: String, byChannel: Bool
  ) throws {
    let whole = busyPerformance(seed: 21)
    let frames = whole.end + 30_000
    var random = Seeded(2)
    // A part has a share of the notes and all other events. Notes of one key stay together because they may
    // end each other, and so do drums, which may choke each other.
    var partOf: [Int: Int] = [:]
    func part(_ step: Performance.Step) -> Int? {
      guard case .channel(let message) = step.content, message.startsNote || message.endsNote
      else { return nil }
      let channel = Int(message.channel)
      let place = byChannel || channel == 9 ? channel : 16 + channel * 128 + Int(message.data1)
      return partOf[place]
        ?? {
          let part = Int.random(in: 0..<3, using: &random)
          partOf[place] = part
          return part
        }()
    }
    let assigned = whole.steps.map { (step: $0, part: part($0)) }
    let reference = try instrument(font).play(whole, frames: frames).sums
    var sums = (0..<4).map { _ in [Int64](repeating: 0, count: frames) }
    for index in 0..<3 {
      let steps = assigned.filter { $0.part == nil || $0.part == index }.map(\.step)
      let part = try instrument(font).play(Performance(steps, of: whole), frames: frames).sums
      for channel in 0..<4 {
        for frame in 0..<frames { sums[channel][frame] += part[channel][frame] }
      }
    }
    #expect(sums == reference)
  }

  @Test func `one thread or several: the bits are the same`() throws {
    let performance = busyPerformance(seed: 9, seconds: 1)
    func play(threads: Int) throws -> RenderedSound {
      let settings = InstrumentSettings(threads: threads)
      return try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
        .play(performance, frames: 80_000)
    }
    let reference = try play(threads: 1)
    #expect(try play(threads: 2) == reference)
    #expect(try play(threads: 5) == reference)
  }

  @Test func `one thread or several: holds for legato passages on the same preset`() throws {
    var performance = Performance()
    for channel in 0..<8 {
      performance.add(0, .controlChange, channel, 68, 127)
      performance.note(channel, channel, 60, 100, length: 60_000)
      for i in 0..<150 { performance.note(100 + i * 300 + channel, channel, 62, 100, length: 150) }
    }
    func play(threads: Int) throws -> RenderedSound {
      try ExactInstrument(
        soundFont: Fonts.timGM6mb, settings: InstrumentSettings(threads: threads)
      ).playInParallel(performance, frames: 60_000)
    }
    let reference = try play(threads: 1)
    #expect(reference.statistics.legatoNotes > 1000)
    for _ in 0..<3 { #expect(try play(threads: 4) == reference) }
  }

  @Test(arguments: [1, 64, 480, 0])
  func `cycle: a legato passage continues only from a note that still sounds`(length: Int) throws {
    // Mallet instruments: each note has almost decayed when the next begins with its key still down.
    var performance = Performance()
    for (channel, program) in [13, 12, 115, 47].enumerated() {
      performance.add(0, .programChange, channel, program)
      performance.add(0, .controlChange, channel, 68, 127)
      var frame = 0
      for i in 0..<20 {
        performance.add(frame, .noteOn, channel, 60 + i, 100)
        frame += 3000 + i * 1700
      }
    }
    func play(_ cycles: @escaping () -> Int) throws -> RenderedSound {
      try ExactInstrument(soundFont: Fonts.timGM6mb, settings: InstrumentSettings())
        .play(performance, frames: 400_000, cycles: cycles)
    }
    let reference = try play { 8192 }
    let statistics = reference.statistics
    #expect(statistics.legatoNotes > 0 && statistics.legatoNotes < statistics.notes - 4)
    var random = Seeded(11)
    let recording = try play { length > 0 ? length : Int.random(in: 1..<3000, using: &random) }
    #expect(recording == reference)
  }

  @Test(arguments: [1, 64, 480, 0])
  func `cycle: a note that has died away under the sostenuto pedal holds no later one`(
    length: Int
  ) throws {
    // Wood blocks, whose keys are struck again as strings.
    var performance = Performance()
    performance.add(0, .programChange, 0, 115)
    for i in 0..<20 { performance.note(10 * i, 0, 50 + i, 100, length: 2000) }
    performance.add(1000, .controlChange, 0, 66, 127)
    performance.add(3000, .programChange, 0, 48)
    for i in 0..<20 { performance.note(8000 + 1700 * i, 0, 50 + i, 100, length: 3000) }
    func play(_ cycles: @escaping () -> Int) throws -> RenderedSound {
      try ExactInstrument(soundFont: Fonts.timGM6mb, settings: InstrumentSettings())
        .play(performance, frames: 100_000, cycles: cycles)
    }
    var random = Seeded(11)
    #expect(
      try play { length > 0 ? length : Int.random(in: 1..<3000, using: &random) } == play { 8192 })
  }

  @Test(arguments: [1, 64, 480, 0])
  func `cycle: when notes end, and what ends them, does not depend on it`(length: Int) throws {
    var performance = busyPerformance(seed: 5, seconds: 2)
    for (channel, program) in [13, 12, 115, 47].enumerated() {
      performance.add(100_000, .programChange, channel, program)
      performance.add(100_000, .controlChange, channel, channel % 2 == 0 ? 68 : 126, 127)
      for i in 0..<20 {
        performance.note(100_000 + i * (3000 + i * 80), channel, 60 + i, 100, length: 9000)
      }
    }
    // Hi-hats choke each other, most of them after they have ended.
    for i in 0..<40 { performance.note(100_000 + 2000 * i, 9, 42 + 2 * (i % 3), 100, length: 500) }
    func log(_ cycles: @escaping () -> Int) throws -> [LoggedNote] {
      let instrument = try self.instrument(Fonts.timGM6mb)
      instrument.keepLog(notes: 1000)
      _ = try instrument.play(performance, frames: 250_000, cycles: cycles)
      return instrument.loggedNotes
    }
    let reference = try log { 8192 }
    #expect(Set(reference.map(\.ending)).isSuperset(of: [.released, .continued, .choked]))
    var random = Seeded(11)
    #expect(
      try log { length > 0 ? length : Int.random(in: 1..<3000, using: &random) } == reference)
  }

  @Test func `superposition: a glide to a note without a preset moves no other note`() throws {
    let folder = try TemporaryFolder()
    // It has no drums.
    let font = try folder.put(Data(NoiseSoundFont().bytes()), "noise.sf2")
    var performance = Performance()
    performance.add(0, .controlChange, 5, 5, 60)
    performance.note(1000, 5, 60, 100, length: 4000)
    let reference = try instrument(font).play(performance, frames: 20_000)
    performance.add(0, .controlChange, 9, 84, 30)
    performance.note(500, 9, 40, 100, length: 100)
    #expect(try instrument(font).play(performance, frames: 20_000).sums == reference.sums)
  }

  @Test(arguments: [1, 64, 100, 0])
  func `cycle: holds in stock timing too`(length: Int) throws {
    let performance = busyPerformance(seed: 3, seconds: 1)
    func play(_ cycles: @escaping () -> Int) throws -> RenderedSound {
      try StockInstrument(
        soundFont: Fonts.timGM6mb, settings: InstrumentSettings(timing: .stock)
      ).play(performance, frames: 60_000, cycles: cycles)
    }
    let reference = try play { 8192 }
    var random = Seeded(4)
    #expect(
      try play { length > 0 ? length : Int.random(in: 1..<3000, using: &random) } == reference)
  }

  private func instrument(_ font: String) throws -> ExactInstrument {
    try ExactInstrument(soundFont: font, settings: InstrumentSettings())
  }
}
