import Testing

@testable import bench

@Test func `reads nanoseconds line by line, as microseconds in rising order`() throws {
  #expect(try RoundTrips(parsing: "4500\n3000\n12250\n").durations == [3, 4.5, 12.25])
}

@Test func `counts a late cycle as longer than all others`() throws {
  let roundTrips = try RoundTrips(parsing: "late\n2000\n1000\n")
  #expect(roundTrips.late == 1)
  #expect(roundTrips.median == 2)
  #expect(roundTrips.maximum == .infinity)
}

@Test func `a percentile is the nearest-rank duration`() throws {
  let thousand = try RoundTrips(parsing: (1...1000).reversed().map { "\($0)000\n" }.joined())
  #expect(thousand.median == 500)
  #expect(thousand.p99 == 990)
  #expect(thousand.p999 == 999)
  #expect(thousand.maximum == 1000)
  let two = try RoundTrips(parsing: "1000\n2000\n")
  #expect(two.median == 1)
  #expect(two.p99 == 2)
}

@Test(arguments: ["", "4500\nsoon\n", "-1\n", "4.5\n"])
func `refuses text without round trips`(text: String) {
  #expect(throws: BenchError.self) { try RoundTrips(parsing: text) }
}
