import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct LatencyFiguresTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `the latency of a note is the time to its first click`() throws {
    let played = (0..<100).map { Int64($0) * Self.second }
    // Latencies of 10.01, 10.02 … 11 ms.
    let clicks = played.enumerated().map { $1 + 10_000_000 + Int64($0 + 1) * 10_000 }
    let echoes = clicks.map { $0 + 500_000_000 }
    let figures = try #require(
      LatencyFigures(played: played, clicks: (clicks + echoes).sorted()))
    #expect(figures.heard == 100)
    #expect(figures.played == 100)
    #expect(figures.mean == 10.505)
    #expect(figures.least == 10.01)
    #expect(figures.greatest == 11)
    #expect(figures.p99 == 10.99)
    // The standard deviation of n consecutive steps: √((n² − 1) / 12).
    #expect(figures.standardDeviation == 0.289)
  }

  @Test func `a note without a click is not counted as captured`() throws {
    let figures = try #require(
      LatencyFigures(
        played: [0, Self.second, 2 * Self.second],
        clicks: [-5, 20_000_000, 2 * Self.second + 40_000_000]))
    #expect(figures.heard == 2)
    #expect(figures.played == 3)
    #expect(figures.mean == 30)
    #expect(figures.p99 == 40)
  }

  @Test func `without clicks there are no figures`() {
    #expect(LatencyFigures(played: [0, Self.second], clicks: []) == nil)
    #expect(LatencyFigures(played: [Self.second], clicks: [0]) == nil)
  }
}
