import Glibc
import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct ResonatorUnitTests {
  private static let tree = ResonatorParameter.tree

  /// Stereo noise with notes and changes of all parameters.
  static var eventful: Score {
    var score = Score(input: [Score.noise(20_000, seed: 1), Score.noise(20_000, seed: 2)])
    score.set(tree, "mix", 90)
    score.messages = [
      (100, .on(60)), (1001, .on(67, 80)), (5003, .bend(1)), (6000, .off(60)), (9000, .bend(-0.5)),
      (15_000, .off(67)),
    ]
    score.set(tree, "decay", 0.5, at: 3000, ramp: 1000)
    score.set(tree, "damping", 2000, at: 7001, ramp: 2000)
    score.set(tree, "gain", -6, at: 11_000, ramp: 300)
    score.set(tree, "mix", 40, at: 12_000)
    return score
  }

  /// Returns the response of a key's string to an impulse.
  private func ring(
    _ key: UInt8, sampleRate: Int = 48_000,
    damping: Float = 20_000, bend: Double = 0
  ) throws -> [Float] {
    // The gate is fully open when the impulse comes.
    var score = Score(sampleRate: sampleRate, input: [Score.silence(2000) + Score.impulse(48_000)])
    score.messages = [(0, .bend(bend)), (0, .on(key, 127))]
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "decay", 20)
    score.set(Self.tree, "damping", damping)
    return Array(try Player.play(ResonatorSource(), score)[0].dropFirst(2000))
  }

  private func cents(_ samples: [Float], key: Double, sampleRate: Double = 48_000) -> Double {
    let wanted = 440 * pow(2, (key - 69) / 12)
    // At least twelve periods, so that other partials fall outside the window's main lobe.
    let window = max(4096, Int(12 * sampleRate / wanted))
    let hop = Int(sampleRate / wanted * 2)
    let found = Pitch.measure(
      samples[200...], near: wanted, window: window, hop: hop, sampleRate: sampleRate)
    return 1200 * log2(found / wanted)
  }

  @Test func `agrees with the reference within −120 dB while everything changes`() throws {
    let score = Self.eventful
    var reference = ResonatorReference()
    reference.mix = Curve(90)
    reference.mix.set(40, at: 12_000)
    reference.decay.set(0.5, at: 3000, ramp: 1000)
    reference.damping.set(2000, at: 7001, ramp: 2000)
    reference.gain.set(-6, at: 11_000, ramp: 300)
    var notes = [
      ResonatorReference.Note(key: 60, velocity: 100, from: 100, to: 6000),
      ResonatorReference.Note(key: 67, velocity: 80, from: 1001, to: 15_000),
    ]
    for index in notes.indices { notes[index].bends = [(5003, 1), (9000, -0.5)] }
    let played = try Player.play(ResonatorSource(), score)
    #expect(distance(played[0], reference.play(score.input[0], notes)) < 1e-6)
    #expect(distance(played[1], reference.play(score.input[1], notes)) < 1e-6)
  }

  @Test(arguments: [44_100, 48_000, 96_000], [Float(20_000), 8000])
  func `keys are in tune within a cent`(sampleRate: Int, damping: Float) throws {
    // Damped notes decay too fast in the highest octave to be measured.
    let highest: UInt8 = damping < 20_000 ? 84 : sampleRate < 48_000 ? 103 : 108
    for key in stride(from: UInt8(24), through: highest, by: 7) {
      let samples = try ring(key, sampleRate: sampleRate, damping: damping)
      let off = cents(samples, key: Double(key), sampleRate: Double(sampleRate))
      #expect(abs(off) < 1, "key \(key) is off by \(off) cents")
    }
  }

  @Test(arguments: [-2.0, -0.7, 1.9]) func `pitch bend covers two semitones up and down`(
    semitones: Double
  ) throws {
    let samples = try ring(69, bend: semitones)
    #expect(abs(cents(samples, key: 69 + semitones)) < 1)
  }

  @Test func `a key that is too high for the rate sounds an octave lower`() throws {
    let samples = try ring(108, sampleRate: 8000)
    #expect(samples.max()! > 0.001)
    #expect(samples.allSatisfy { $0.isFinite })
    let low = try ring(96, sampleRate: 8000)
    #expect(difference(samples, low) == nil)
  }

  @Test(arguments: Cut.all) func `cycle: the output does not depend on how it is cut into cycles`(
    cut: Cut
  ) throws {
    let score = Self.eventful
    let whole = try Player.play(ResonatorSource(), score, .every(4096))
    let cut = try Player.play(ResonatorSource(), score, cut)
    #expect(difference(whole[0], cut[0]) == nil)
    #expect(difference(whole[1], cut[1]) == nil)
  }

  @Test(arguments: [1, 63, 64, 777])
  func `onset: input shifted by k frames gives output shifted by k frames`(shift: Int) throws {
    let score = Self.eventful
    let played = try Player.play(ResonatorSource(), score)
    var later = score.later(by: shift)
    // Set the mix from frame 0, for the input before the first note.
    later.changes[0].frame = 0
    let shifted = try Player.play(ResonatorSource(), later)
    for channel in 0..<2 {
      #expect(difference(Array(shifted[channel].dropFirst(shift)), played[channel]) == nil)
    }
  }

  @Test func `at mix 0 the output is the input bit for bit`() throws {
    var noise = Score.noise(5000)
    noise[17] = -0.0
    noise[18] = .infinity
    var score = Score(input: [noise])
    score.set(Self.tree, "mix", 0)
    score.messages = [(0, .on(60))]
    #expect(difference(try Player.play(ResonatorSource(), score)[0], noise) == nil)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func `infinite and NaN input affects only its frame`(bad: Float) throws {
    var score = Score(input: [Score.noise(8000)])
    score.messages = [(0, .on(60))]
    score.input[0][1000] = 0
    let good = try Player.play(ResonatorSource(), score)[0]
    score.input[0][1000] = bad
    let played = try Player.play(ResonatorSource(), score)[0]
    #expect(difference(played, good) == 1000)
    #expect(difference(Array(played[1001...]), Array(good[1001...])) == nil)
  }

  @Test func `direct current does not accumulate`() throws {
    var score = Score(input: [[Float](repeating: 0.5, count: 96_000)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "decay", 20)
    score.messages = [(48_000, .on(60, 127))]
    #expect(try Player.play(ResonatorSource(), score)[0].allSatisfy { abs($0) < 0.001 })
  }

  @Test func `noise has the level of the input`() throws {
    var score = Score(input: [Score.noise(96_000)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "decay", 0.2)
    score.set(Self.tree, "damping", 20_000)
    score.messages = [(0, .on(33, 127))]
    let played = try Player.play(ResonatorSource(), score)[0]
    func power(_ samples: [Float]) -> Float { samples[20_000...].reduce(0) { $0 + $1 * $1 } }
    // Cubic interpolation attenuates some of the highest overtones.
    let level = 10 * log10(power(played) / power(score.input[0]))
    #expect(level < 0.5 && level > -3)
  }

  @Test func `a channel's strings receive only that channel`() throws {
    var score = Score(input: [Score.noise(2000), Score.silence(2000)])
    score.set(Self.tree, "mix", 100)
    score.messages = [(0, .on(60))]
    let played = try Player.play(ResonatorSource(), score)
    #expect(played[0].contains { $0 != 0 })
    #expect(played[1].allSatisfy { $0 == 0 })
  }

  @Test func `an unsupported format is refused with the supported ones`() throws {
    let error = #expect(throws: FormatError.self) {
      _ = try ResonatorSource().makeUnit(Format(inputChannels: 0, outputChannels: 2))
    }
    #expect(error?.description == "inputChannels must be 1 to 2, but is 0")
  }

  @Test func `every preset sets every parameter within its range`() throws {
    let unit = try ResonatorSource().makeUnit(Format(inputChannels: 2))
    #expect(unit.presets.count >= 6)
    for preset in unit.presets {
      try unit.parameters?.set(preset.values)
      #expect(unit.parameters?.all == preset.values)
    }
  }
}
