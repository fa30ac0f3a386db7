import TestSupport
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct ClickFinderTests {
  @Test func `a click begins at half of its peak level`() {
    var levels = [Float](repeating: 0, count: 48_000)
    // The shape that converters produce: it rises, overshoots and rings.
    levels.replaceSubrange(9998..<10_004, with: [0.05, 0.1, 0.4, 0.6, 0.5, 0.2])
    levels[30_000] = 0.5
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [10_000, 30_000])
  }

  @Test func `a peak within 20 ms belongs to the click before it`() {
    var levels = [Float](repeating: 0, count: 10_000)
    for frame in [1000, 1959, 1960] { levels[frame] = 0.5 }
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [1000, 1960])
  }

  @Test func `a peak below half of the loudest is no click`() {
    var levels = [Float](repeating: 0, count: 10_000)
    levels[1000] = 0.5
    levels[5000] = 0.24
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [1000])
  }

  @Test(arguments: [Float(0), 0.0009, 0.3])
  func `noise at any level has no clicks`(level: Float) {
    var random = Seeded(1)
    let noise = (0..<10_000).map { _ in Float.random(in: 0...1, using: &random) * level }
    #expect(ClickFinder.clicks(in: noise, rate: 48_000) == [])
    #expect(ClickFinder.clicks(in: [], rate: 48_000) == [])
  }

  @Test func `a click is found in noise`() {
    var random = Seeded(2)
    var levels = (0..<10_000).map { _ in Float.random(in: 0...0.01, using: &random) }
    levels[4000] = 0.1
    #expect(ClickFinder.clicks(in: levels, rate: 48_000) == [4000])
  }
}
