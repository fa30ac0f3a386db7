import TestSupport
import Testing

/// The first minutes of soaks. `make soak` runs a long one.
@Suite(.timeLimit(.minutes(5))) struct SoakTests {
  @Test(arguments: [1, 2, 3])
  func `no note is stuck and nothing is lost, whatever players, hosts and the machine do`(
    seed: UInt64
  ) throws {
    var scenario = try SoakScenario(seed: seed)
    defer { scenario.stage.stop() }
    for _ in 0..<2 { try scenario.perform(steps: 25) }
    #expect(eventually { scenario.stage.disk == nil || scenario.stage.log.isDiskFull })
  }

  @Test func `a soak repeats its steps from its seed`() throws {
    func digest(_ seed: UInt64) throws -> UInt64 {
      var scenario = try SoakScenario(seed: seed)
      defer { scenario.stage.stop() }
      try scenario.perform(steps: 40)
      return scenario.journal.digest
    }
    let first = try digest(4)
    #expect(try digest(4) == first)
    #expect(try digest(5) != first)
  }

  @Test func `the growth of a figure is that of its second half`() {
    let points = (0..<40).map { hour in
      let value = hour < 20 ? 10 : 10 + 2 * (hour - 20)
      return (hours: Double(hour), value: Double(value))
    }
    #expect(abs(SoakGrowth(points).value - 38) < 1e-9)
    #expect(SoakGrowth(points.map { ($0.hours, 7) }).value == 0)
  }
}
