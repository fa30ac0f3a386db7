import FluidSynthInstrument
import MIDICore
import RenderCore
import Testing

/// A busy minute in small: chords, drums with chokes, pedals, bends, controllers, programs.
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

@Suite("Laws") struct LawTests {
  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb])
  func `onset: a whole performance shifted by k frames gives its bits shifted by k`(
    font: String
  ) throws {
    let performance = busyPerformance(seed: 7)
    let frames = performance.end + 48_000
    func play(shift: Int) throws -> Recording {
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
    func play(_ cycles: @escaping () -> Int) throws -> Recording {
      let instrument = try ExactInstrument(
        soundFont: Fonts.timGM6mb, settings: InstrumentSettings())
      return try instrument.play(performance, frames: frames, cycles: cycles)
    }
    let reference = try play { 8192 }
    var random = Seeded(11)
    let recording = try play { length > 0 ? length : Int.random(in: 1..<3000, using: &random) }
    #expect(recording == reference)
  }
}
