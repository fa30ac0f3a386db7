import TestSupport
import Testing

@testable import LatencyTest

@Suite struct ClickFinderTests {
  @Test func `a click begins where it gets to half of its height`() {
    var levels = [Float](repeating: 0, count: 48_000)
    // The shape that converters produce: it rises, overshoots and rings.
    levels.replaceSubrange(9998..<10_004, with: [0.05, 0.1, 0.4, 0.6, 0.5, 0.2])
    levels[30_000] = 0.5
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [10_000, 30_000])
  }

  @Test func `an echo within 20 ms is no click of its own, and a later one is`() {
    var levels = [Float](repeating: 0, count: 10_000)
    for frame in [1000, 1959, 1960] { levels[frame] = 0.5 }
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [1000, 1960])
  }

  @Test func `what is much softer than the loudest is none`() {
    var levels = [Float](repeating: 0, count: 10_000)
    levels[1000] = 0.5
    levels[5000] = 0.24
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [1000])
  }

  @Test(arguments: [Float(0), 0.0009, 0.3])
  func `noise alone has no clicks, be it soft or loud`(level: Float) {
    var random = Seeded(1)
    let noise = (0..<10_000).map { _ in Float.random(in: 0...1, using: &random) * level }
    #expect(ClickFinder.clicks(in: noise, rate: 48_000) == [])
    #expect(ClickFinder.clicks(in: [], rate: 48_000) == [])
  }

  @Test func `clicks stand out of noise`() {
    var random = Seeded(2)
    var levels = (0..<10_000).map { _ in Float.random(in: 0...0.01, using: &random) }
    levels[4000] = 0.1
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [4000])
  }
}
