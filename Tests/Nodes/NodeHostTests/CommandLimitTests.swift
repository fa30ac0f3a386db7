import Testing

@testable import NodeHost

private let second: Int64 = 1_000_000_000

@Test func `a node may send 64 commands at once, and then 32 per second`() {
  var limit = CommandLimit()
  #expect((0..<70).count { _ in limit.admits(at: 5) } == 64)
  var steady = CommandLimit()
  #expect((0..<1000).count { steady.admits(at: Int64($0) * second / 32) } == 1000)
}

@Test
func `a flood is refused as long as it lasts, and forgiven after a second without commands`() {
  var limit = CommandLimit()
  let admitted = (0..<10_000).count { limit.admits(at: Int64($0) * second / 100) }
  #expect((64...100).contains(admitted))
  let end = 10_000 * second / 100
  let (early, late) = (limit.admits(at: end + second / 2), limit.admits(at: end + 2 * second))
  #expect(!early && late)
}
