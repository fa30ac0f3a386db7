import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct PaceTests {
  private let second: Int64 = 1_000_000_000

  @Test(arguments: [8000, 44_100, 48_000])
  func `each cycle begins when the previous ones are over`(rate: Int) {
    var pace = Pace(sampleRate: rate, from: 5)
    var now: Int64 = 5
    for cycle in 0..<100_000 {
      now = pace.next(1000, at: now)
      let exact = 5 + Double(cycle) * 1000 / Double(rate) * 1e9
      #expect(abs(Double(now) - exact) <= 1)
    }
  }

  @Test func `a short delay is caught up`() {
    var pace = Pace(sampleRate: 1000, from: 0)
    #expect(pace.next(100, at: 0) == 0)
    #expect(pace.next(100, at: second / 4) == second / 4)
    #expect(pace.next(100, at: second / 4) == second / 4)
    #expect(pace.next(100, at: second / 4) == 3 * second / 10)
  }

  @Test func `a long delay shifts the stream`() {
    var pace = Pace(sampleRate: 1000, from: 0)
    #expect(pace.next(100, at: 0) == 0)
    #expect(pace.next(100, at: 9 * second) == 9 * second)
    #expect(pace.next(100, at: 9 * second) == 91 * second / 10)
  }
}
