import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct DuckerTests {
  @Test func `the attack time reaches 63 % of the change, and so does the release time`() {
    var ducker = Ducker(rate: 1000)
    func go(_ frames: Int, _ level: Float) -> Float {
      var factor: Float = 1
      for _ in 0..<frames {
        factor = ducker.next(level, 0, amount: 10, attack: 100, release: 300)
      }
      return factor
    }
    // At −20 dBFS the reduction is complete: −10 dB.
    #expect(abs(go(100, 0.1) - Decibels.factor(-6.321)) < 1e-4)
    #expect(abs(go(5000, 0.1) - Decibels.factor(-10)) < 1e-4)
    #expect(abs(go(300, 0) - Decibels.factor(-3.679)) < 1e-4)
    #expect(go(30_000, 0) == 1)
  }

  @Test func `above −20 dBFS the ducking is the whole amount`() {
    var ducker = Ducker(rate: 48_000)
    var least: Float = 1
    for _ in 0..<10_000 {
      least = min(least, ducker.next(0, -0.9, amount: 24, attack: 1, release: 100))
    }
    #expect(least == Decibels.factor(-24))
  }

  @Test func `below −120 dBFS the signal counts as silence`() {
    var ducker = Ducker(rate: 48_000)
    for _ in 0..<1000 {
      #expect(ducker.next(9e-7, 0, amount: 24, attack: 1, release: 100) == 1)
    }
    #expect(ducker.next(2e-6, 0, amount: 24, attack: 0.1, release: 100) < 1)
  }

  @Test func `an amount of 0 changes nothing`() {
    var ducker = Ducker(rate: 48_000)
    for _ in 0..<1000 {
      #expect(ducker.next(0.9, 0.9, amount: 0, attack: 1, release: 100) == 1)
    }
  }
}
