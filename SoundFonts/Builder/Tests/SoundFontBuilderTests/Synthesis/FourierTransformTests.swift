import Foundation
import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct FourierTransformTests {
  @Test func `a bin is a cosine that turns so many times`() {
    var spectrum = LoopSpectrum(length: 64)
    spectrum.add(bin: 3, amplitude: 0.5, phase: 1)
    spectrum.add(bin: 7, amplitude: 0.25, phase: -2)
    let wave = spectrum.waveform()
    for (index, value) in wave.enumerated() {
      let angle = 2 * Double.pi * Double(index) / 64
      #expect(abs(value - 0.5 * cos(3 * angle + 1) - 0.25 * cos(7 * angle - 2)) < 1e-12)
    }
  }

  @Test func `what would alias is left out`() {
    var spectrum = LoopSpectrum(length: 16)
    spectrum.add(bin: 8, amplitude: 1, phase: 0)
    spectrum.add(bin: 0, amplitude: 1, phase: 0)
    #expect(spectrum.waveform().allSatisfy { $0 == 0 })
  }
}
