import Glibc
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct LowPassTests {
  @Test(arguments: [200, 1000, 5000] as [Float])
  func `at its frequency the level is 3 dB lower`(frequency: Float) {
    let lowPass = LowPass(frequency: frequency, sampleRate: 192_000)
    var state: Float = 0
    let sine = Score.sine(192_000, frequency: Double(frequency), sampleRate: 192_000)
    let loudest = sine.map { lowPass.process($0, &state) }[96_000...].max()!
    #expect(abs(20 * log10(loudest) + 3) < 0.1)
  }

  @Test func `when open, it passes everything bit for bit`() {
    let lowPass = LowPass(frequency: LowPass.open, sampleRate: 48_000)
    var state: Float = 0.3
    let noise = Score.noise(1000)
    #expect(difference(noise.map { lowPass.process($0, &state) }, noise) == nil)
  }

  @Test func `its phase delay is the stated one`() {
    let lowPass = LowPass(frequency: 1000, sampleRate: 48_000)
    var state: Float = 0
    let low = Score.sine(48_000, frequency: 500).map { lowPass.process($0, &state) }
    // The sine of 500 Hz crosses 0 downwards at frame 48 of every 96.
    let before = low.indices.dropFirst(24_000).first { low[$0] >= 0 && low[$0 + 1] < 0 }!
    let crossing = Double(before) + Double(low[before] / (low[before] - low[before + 1]))
    let delay = (crossing - 48).truncatingRemainder(dividingBy: 96)
    #expect(abs(delay - lowPass.delay(atAngle: 2 * .pi * 500 / 48_000)) < 0.01)
  }
}
