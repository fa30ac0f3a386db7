import Foundation
import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct MathematicsTests {
  @Test func `sine and cosine agree with the C library`() {
    for x in stride(from: -700.0, through: 700, by: 0.37) {
      #expect(abs(Mathematics.sin(x) - Foundation.sin(x)) < 1e-13)
      #expect(abs(Mathematics.cos(x) - Foundation.cos(x)) < 1e-13)
    }
  }

  @Test func `exponential and logarithm agree with the C library`() {
    for x in stride(from: -60.0, through: 60, by: 0.173) {
      #expect(abs(Mathematics.exp(x) / Foundation.exp(x) - 1) < 1e-13)
      #expect(abs(Mathematics.log(Foundation.exp(x)) - x) < 1e-13)
    }
    #expect(abs(Mathematics.pow(3, 4.5) / Foundation.pow(3, 4.5) - 1) < 1e-13)
  }

  @Test func `keys are tuned to 440 Hz and an octave is a factor of two`() {
    #expect(Mathematics.frequency(key: 69) == 440)
    #expect(abs(Mathematics.frequency(key: 57) - 220) < 1e-10)
    #expect(abs(Mathematics.frequency(key: 60) - 261.6255653) < 1e-6)
  }
}
