import Foundation
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct ClickTests {
  @Test(arguments: [8000, 44_100, 48_000, 192_000])
  func `a click is a sine with an envelope that falls to 0 in 30 ms`(sampleRate: Int) {
    let samples = click(pitch: 880, level: -6, sampleRate)
    #expect(samples.count == sampleRate * 3 / 100)
    for (i, sample) in samples.enumerated() {
      let t = Double(i) / Double(samples.count)
      let sine = sin(2 * .pi * 880 * Double(i + 1) / Double(sampleRate))
      #expect(abs(Double(sample) - pow(10, -6 / 20.0) * pow(1 - t, 4) * sine) < 1e-7)
    }
  }

  @Test func `its first sample is not silent, and its end has no step`() {
    let samples = click(pitch: 200, level: 0, 192_000)
    #expect(samples[0] > 0.005)
    #expect(abs(samples[samples.count - 1]) < 1e-9)
  }

  @Test(arguments: [200, 1000, 4000, 5000] as [Float])
  func `a pitch too high for the rate is limited`(pitch: Float) {
    let samples = click(pitch: pitch, level: 0, 8000)
    #expect(samples[0] > 0.1 && samples.allSatisfy { abs($0) <= 1 })
  }

  @Test func `a click that has ended is silent`() {
    #expect(Click().remaining == 0)
  }

  private func click(pitch: Float, level: Float, _ sampleRate: Int) -> [Float] {
    var click = Click(pitch: pitch, level: level, sampleRate: sampleRate)
    var samples: [Float] = []
    while click.remaining > 0 { samples.append(click.next()) }
    return samples
  }
}
