import Testing

@testable import BatchRenderer
@testable import LocalSystem

private func jobs(_ weights: [Int]) -> [RenderPlan.Job] {
  weights.enumerated().map { index, weight in
    .init(
      index: index, input: "\(index)", weight: weight, work: .failure(.usage("not to be rendered")))
  }
}

@Test(arguments: [(1, 1), (31, 4), (1000, 7), (5, 8), (0, 3)])
func `each song is in one part, and parts differ by one song's weight at most`(
  songs: Int, count: Int
) throws {
  var random = SystemRandomNumberGenerator()
  // Most songs are short, and a few are very long.
  let list = jobs(
    (0..<songs).map { _ in Int(1000 / Double.random(in: 0.001...1, using: &random)) })
  let parts = try (1...count).map { try Shard("\($0)/\(count)").part(of: list) }
  #expect(parts.flatMap(\.self).map(\.index).sorted() == Array(0..<songs))
  for part in parts { #expect(part.map(\.index) == part.map(\.index).sorted()) }
  let loads = parts.map { $0.reduce(0) { $0 + $1.weight } }
  let heaviest = list.map(\.weight).max() ?? 0
  #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= heaviest, "\(loads)")
}

@Test func `the same list has the same parts`() throws {
  let list = jobs([5, 5, 5, 9, 1, 5, 5])
  let shard = try Shard("2/3")
  #expect(shard.part(of: list) == shard.part(of: list))
  #expect(try Shard("1/2").part(of: jobs([1, 3, 2, 4])).map(\.index) == [0, 3])
}

@Test func `each song goes to the part with the least so far, from the longest on`() throws {
  let list = jobs([3, 8, 4, 2, 6, 1])
  let parts = try (1...3).map { try Shard("\($0)/3").part(of: list).map(\.weight) }
  #expect(parts == [[8], [2, 6], [3, 4, 1]])
}

@Test func `songs without a length are divided too`() throws {
  let parts = try (1...4).map {
    try Shard("\($0)/4").part(of: jobs(Array(repeating: 0, count: 100))).count
  }
  #expect(parts == [25, 25, 25, 25])
}

@Test(arguments: ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/4", "a/b", "1/100001", "1/ 2"])
func `refuses what is no part`(text: String) {
  let failure = #expect(throws: Failure.self) { try Shard(text) }
  #expect(failure?.kind == .usage)
  #expect(failure?.message.hasSuffix("but was '\(text)'") == true)
}
