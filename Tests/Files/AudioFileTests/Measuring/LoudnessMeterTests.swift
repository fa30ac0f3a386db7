import AudioFile
import Glibc
import Testing

private struct RateRefused: Error {}

private func measured(_ samples: [Float], framesPerBlock: Int = 480, rate: Int = 48000) throws
  -> (loudness: Double?, truePeak: Double)
{
  guard var meter = LoudnessMeter(sampleRate: rate) else { throw RateRefused() }
  for start in stride(from: 0, to: samples.count, by: framesPerBlock * 2) {
    let block = Array(samples[start..<min(start + framesPerBlock * 2, samples.count)])
    meter.add(interleaved: block.span)
  }
  return (meter.integratedLoudness, meter.truePeak ?? -1)
}

private func sine(_ frequency: Double, level: Double, phase: Double = 0, seconds: Double = 3)
  -> [Float]
{
  (0..<Int(seconds * 48000)).flatMap { frame in
    let sample = Float(level * sin(2 * .pi * (frequency / 48000 * Double(frame) + phase)))
    return [sample, sample]
  }
}

/// EBU Tech 3341, test signals 1 and 2: a stereo sine of 1 kHz at −23 and −33 dBFS.
@Test(arguments: [-23.0, -33.0])
func `reads the loudness of the EBU's test signals`(level: Double) throws {
  let loudness = try #require(try measured(sine(1000, level: pow(10, level / 20))).loudness)
  #expect(abs(loudness - level) < 0.1)
}

/// Similar to EBU Tech 3341, test signal 15: a sine at a quarter of the rate, sampled 45° off its peaks.
@Test func `finds the peak between the samples`() throws {
  let samples = sine(12000, level: 0.5, phase: 0.125)
  let samplePeak = samples.map(abs).max() ?? 0
  #expect(abs(samplePeak - 0.3536) < 0.001)
  let truePeak = try measured(samples).truePeak
  #expect(20 * log10(truePeak / 0.5) > -0.4 && 20 * log10(truePeak / 0.5) < 0.2)
}

@Test func `does not depend on the length of the blocks`() throws {
  let samples = sine(440, level: 0.3, seconds: 1)
  let one = try measured(samples, framesPerBlock: 48000)
  for framesPerBlock in [64, 1000, 4801] {
    let other = try measured(samples, framesPerBlock: framesPerBlock)
    #expect(other.loudness == one.loudness && other.truePeak == one.truePeak)
  }
}

@Test func `silence has no loudness`() throws {
  let silence = try measured(Array(repeating: 0, count: 96000))
  #expect(silence.loudness == nil && silence.truePeak == 0)
  #expect(try measured([]).loudness == nil)
}

@Test func `accepts the rates of a render, and refuses others`() {
  for rate in [8000, 11025, 44100, 96000, 192_000] {
    let isMade = LoudnessMeter(sampleRate: rate) != nil
    #expect(isMade)
  }
  for rate in [0, -1, Int.max] {
    let isMade = LoudnessMeter(sampleRate: rate) != nil
    #expect(!isMade)
  }
}

@Test func `measures the true peak only on request`() {
  let truePeak = LoudnessMeter(sampleRate: 48000, truePeak: false)?.truePeak
  #expect(truePeak == .some(nil))
}
