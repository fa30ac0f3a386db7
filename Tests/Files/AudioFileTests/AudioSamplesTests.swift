import Glibc
import Testing

@testable import AudioFile

private func tone(_ frequency: Double, rate: Int, frames: Int) -> AudioSamples {
  let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * frames)
  for frame in 0..<frames {
    let value = Float(sin(2 * .pi * frequency * Double(frame) / Double(rate)))
    samples[2 * frame] = value / 2
    samples[2 * frame + 1] = -value / 4
  }
  return AudioSamples(sampleRate: rate, adopting: UnsafeBufferPointer(samples))
}

@Test(
  arguments: [
    (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (22_050, 48_000), (8_000, 192_000),
  ])
func `audio at another rate is the same sound, and begins at the same time`(
  from: Int, to: Int
) throws {
  let frequency = 1000.0
  let audio = try tone(frequency, rate: from, frames: from).converted(to: to)
  #expect(audio.sampleRate == to && audio.frames == to)
  // The tone begins and ends suddenly, which another rate rounds off.
  let difference = (to / 10..<to * 9 / 10).map { frame in
    let value = Float(sin(2 * .pi * frequency * Double(frame) / Double(to)))
    return max(
      abs(audio.samples[2 * frame] - value / 2), abs(audio.samples[2 * frame + 1] + value / 4))
  }.max()
  #expect(difference ?? 1 < 1e-4)
}

@Test func `frequencies that a rate cannot have are removed`() throws {
  let audio = try tone(15_000, rate: 48_000, frames: 48_000).converted(to: 22_050)
  let peak = (2_205..<19_845).map { abs(audio.samples[2 * $0]) }.max()
  #expect(peak ?? 1 < 1e-4)
}

@Test func `audio at its own rate is not converted, and nothing stays nothing`() throws {
  let audio = tone(1000, rate: 48_000, frames: 100)
  #expect(try audio.converted(to: 48_000) === audio)
  #expect(try AudioSamples(sampleRate: 48_000).converted(to: 44_100).frames == 0)
}
