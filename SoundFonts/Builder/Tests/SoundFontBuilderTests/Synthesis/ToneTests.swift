import Testing

@testable import SoundFontBuilder

/// What all models of tones have in common.
@Suite(.timeLimit(.minutes(5))) struct ToneTests {
  static let recordings: [Recording] = {
    var steady = SteadyTone(level: { number, _ in 1 / Double(number) })
    (steady.spread, steady.chiff, steady.loopLength) = (12, 4, 2_048)
    steady.breath = Spectrum.band(500, 3_000, 0.01)
    var plucked = PluckedString()
    plucked.length = 0.1
    var struck = StruckString()
    (struck.length, struck.loopLength) = (0.1, 2_048)
    let modulated = ModulatedTone(
      pairs: [
        .init(carrier: 1, modulator: 3, index: (2, 0.5), indexDecay: 1, amplitude: 1, decay: 3)
      ], length: 0.1, loopLength: 1_024)
    return [
      steady.record("Steady", key: 61), plucked.tone(key: 52).record("Plucked", key: 52),
      struck.tone(key: 64).record("Struck", key: 64), modulated.record("Modulated", key: 70),
    ]
  }()

  @Test(arguments: recordings)
  func `a loop leads exactly into itself`(recording: Recording) throws {
    let loop = try #require(recording.loop)
    let peak = recording.frames.map(abs).max() ?? 0
    for offset in 0..<Recording.margin {
      let jump = abs(
        recording.frames[loop.lowerBound + offset] - recording.frames[loop.upperBound + offset])
      #expect(jump < 1e-9 * peak)
    }
  }

  @Test(arguments: recordings)
  func `the loop holds a whole number of periods of the key`(recording: Recording) throws {
    let loop = try #require(recording.loop)
    let frequency = Mathematics.frequency(key: recording.key)
    let periods = frequency * Double(loop.count) / Double(recording.sampleRate)
    #expect(abs(periods - periods.rounded()) < 0.0005 * periods)
    // Energy at that bin stands out from that of its neighbours between harmonics.
    func level(_ bin: Double) -> Double {
      let sums = loop.reduce((0.0, 0.0)) { sum, index in
        let angle = Mathematics.twoPi * bin * Double(index - loop.lowerBound) / Double(loop.count)
        let (sine, cosine) = Mathematics.sineAndCosine(angle)
        return (sum.0 + recording.frames[index] * sine, sum.1 + recording.frames[index] * cosine)
      }
      return sums.0 * sums.0 + sums.1 * sums.1
    }
    #expect(level(periods.rounded()) > 100 * level((periods * 1.5).rounded()))
  }

  @Test(arguments: recordings)
  func `starts from silence and has no constant part`(recording: Recording) throws {
    let loop = try #require(recording.loop)
    let peak = recording.frames.map(abs).max() ?? 0
    #expect(abs(recording.frames[0]) < 0.02 * peak)
    let mean = recording.frames[loop].reduce(0, +) / Double(loop.count)
    #expect(abs(mean) < 0.002 * peak)
  }
}

extension Recording: CustomTestStringConvertible {
  public var testDescription: String { name }
}
