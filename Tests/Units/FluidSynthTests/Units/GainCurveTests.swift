import Foundation
import RenderCore
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct GainCurveTests {
  @Test func `a gain in decibels is a factor, and 0 dB is 1`() {
    #expect(Decibels.factor(0) == 1)
    for decibels in stride(from: Float(-96), through: 24, by: 0.75) {
      let expected = Float(pow(10, Double(decibels) / 20))
      #expect(abs(Decibels.factor(decibels) / expected - 1) < 1e-7)
    }
  }

  @Test func `the curve follows a glide from frame to frame`() {
    let board = ParameterStore(
      ParameterTree([Parameter("gain", "Gain", -96...24, default: 0, unit: .decibels)]))
    var values = board.values
    #expect(GainCurve(values, 0, frames: 100).isUnity)
    values.apply(ParameterChange(offset: 0, index: 0, value: -20, ramp: 50))
    let curve = GainCurve(values, 0, frames: 100)
    #expect(!curve.isUnity)
    #expect(curve.factor(at: 0) == 1)
    #expect(curve.factor(at: 25) == Decibels.factor(-10))
    #expect(curve.factor(at: 50) == Decibels.factor(-20))
    #expect(curve.factor(at: 99) == Decibels.factor(-20))
  }
}
