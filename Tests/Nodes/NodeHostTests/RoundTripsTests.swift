import TestSupport
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct RoundTripsTests {
  @Test func `without round trips every quantile is 0`() {
    #expect(RoundTrips().quantile(0.5) == 0)
    #expect(RoundTrips().longest == 0)
  }

  @Test func `a single round trip is every quantile`() {
    var trips = RoundTrips()
    trips.add(12_345)
    for part in [0, 0.5, 0.99, 1] { #expect(abs(trips.quantile(part) - 12_345) < 400) }
    #expect(trips.quantile(1) <= trips.longest)
  }

  @Test(arguments: [0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1])
  func `a quantile is within four hundredths of the exact one`(part: Double) {
    var random = Seeded(9)
    var trips = RoundTrips()
    // From microseconds to seconds, with equal numbers per decade.
    var all: [Int64] = []
    for _ in 0..<20_000 {
      var time = Int64.random(in: 1000...9999, using: &random)
      for _ in 0..<Int.random(in: 0...5, using: &random) { time *= 10 }
      time = min(time, 4_000_000_000)
      all.append(time)
      trips.add(time)
    }
    all.sort()
    let exact = all[max(0, Int((Double(all.count) * part).rounded(.up)) - 1)]
    let found = trips.quantile(part)
    #expect(abs(Double(found - exact)) <= 0.04 * Double(exact), "\(found) for \(exact)")
    #expect(trips.longest == all.last)
    #expect(trips.count == all.count)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 4_294_967_296, .max])
  func `times out of range are counted with the shortest or the longest`(time: Int64) {
    var trips = RoundTrips()
    trips.add(time)
    #expect(trips.count == 1)
    #expect(trips.quantile(1) == max(0, time))
  }
}
