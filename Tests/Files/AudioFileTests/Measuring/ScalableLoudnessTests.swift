import AudioFile
import Glibc
import Testing

/// Returns a tone that fades in and out over 80 dB.
private func swell(gain: Double, rate: Int) -> [Float] {
  (0..<8 * rate).flatMap { frame in
    let seconds = Double(frame) / Double(rate)
    let level = pow(10, (gain - 10 - 20 * abs(seconds - 4)) / 20)
    let sample = Float(level * sin(2 * .pi * 440 * seconds))
    return [sample, sample]
  }
}

private struct RateRefused: Error {}

private func measured(
  _ samples: [Float], gain: Double = 0, framesPerBlock: Int = 1000, rate: Int
) throws -> (loudness: Double?, truePeak: Double) {
  guard var meter = ScalableLoudness(sampleRate: rate) else { throw RateRefused() }
  for start in stride(from: 0, to: samples.count, by: framesPerBlock * 2) {
    let block = Array(samples[start..<min(start + framesPerBlock * 2, samples.count)])
    meter.add(interleaved: block.span)
  }
  return (meter.integratedLoudness(gain: gain), meter.truePeak)
}

/// Two rates that are multiples of 10, so that 0.1 s is a whole number of frames, and one that is not.
@Test(arguments: [8000, 22_255, 48_000], [0.0, -20, -45, 9])
func `the computed loudness after a gain is the measured one`(rate: Int, gain: Double) throws {
  let foreseen = try measured(swell(gain: 0, rate: rate), gain: gain, rate: rate).loudness ?? 99
  let amplified = swell(gain: gain, rate: rate)
  let found = try measured(amplified, rate: rate).loudness ?? -99
  #expect(abs(foreseen - found) < 1e-3)
  guard var library = LoudnessMeter(sampleRate: rate) else { throw RateRefused() }
  library.add(interleaved: amplified.span)
  let known = library.integratedLoudness ?? 99
  #expect(abs(found - known) < 0.1)
}

@Test func `the scalable loudness does not depend on the length of the blocks`() throws {
  let samples = swell(gain: 0, rate: 8000)
  let one = try measured(samples, framesPerBlock: 64_000, rate: 8000)
  for framesPerBlock in [1, 799, 800, 4097] {
    let other = try measured(samples, framesPerBlock: framesPerBlock, rate: 8000)
    #expect(other.loudness == one.loudness && other.truePeak == one.truePeak)
  }
}

@Test func `silence has no loudness with any gain`() throws {
  let silence = try measured(Array(repeating: 0, count: 96_000), gain: 90, rate: 48_000)
  #expect(silence.loudness == nil && silence.truePeak == 0)
  #expect(try measured([0.5, 0.5], rate: 48_000).loudness == nil)
}
