import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct DenormalsTests {
  @Test(arguments: [
    Float.nan, .infinity, -.infinity, 1e10, -2e20, 1e-16, -1e-16, .leastNonzeroMagnitude,
  ])
  func `denormal samples become 0`(sample: Float) {
    #expect(Denormals.sample(sample) == 0)
  }

  @Test(arguments: [Float(1), -1, 0.001, 1e9, -1e9, 2e-15, -2e-15])
  func `other samples are unchanged`(sample: Float) {
    #expect(Denormals.sample(sample).bitPattern == sample.bitPattern)
  }
}
