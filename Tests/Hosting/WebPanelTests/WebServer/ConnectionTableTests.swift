import Testing

@testable import WebPanel

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTableTests {
  private typealias Table = ConnectionTable<Int>

  private func peer(_ number: Int) -> Peer {
    Peer(SocketAddress("10.0.\(number / 250).\(number % 250 + 1)", port: 0)!)
  }

  @Test func `a peer with too many connections loses its oldest one`() {
    var table = Table()
    let limit = Table.Stage.silent.limits.peer
    for key in 0..<limit { #expect(table.add(key, from: peer(0)) == nil) }
    #expect(table.add(1000, from: peer(1)) == nil)
    #expect(table.add(1001, from: peer(0)) == 0)
    #expect(table.add(1002, from: peer(0)) == 1)
    #expect(table.count(in: .silent) == limit + 1)
  }

  @Test func `when all are too many, the peer with the most loses one`() {
    var table = Table()
    let limits = Table.Stage.silent.limits
    for key in 0..<limits.peer { #expect(table.add(key, from: peer(0)) == nil) }
    for key in limits.peer..<limits.all { #expect(table.add(key, from: peer(key)) == nil) }
    #expect(table.add(1000, from: peer(1000)) == 0)
    #expect(table.count == limits.all)
  }

  @Test func `silent connections do not take the room of those that have shown more`() {
    var table = Table()
    _ = table.add(-1, from: peer(0))
    #expect(table.advance(-1, to: .requested) == nil)
    _ = table.add(-2, from: peer(0))
    #expect(table.advance(-2, to: .unproved) == nil)
    _ = table.add(-3, from: peer(0))
    #expect(table.advance(-3, to: .admitted) == nil)
    for key in 0..<10_000 {
      if let dropped = table.add(key, from: peer(0)) { #expect(dropped >= 0) }
    }
    for stage in [Table.Stage.requested, .unproved, .admitted] {
      #expect(table.count(in: stage) == 1)
    }
  }

  @Test func `a connection does not go back to an earlier stage`() {
    var table = Table()
    _ = table.add(1, from: peer(0))
    _ = table.advance(1, to: .unproved)
    _ = table.advance(1, to: .requested)
    #expect(table.count(in: .unproved) == 1)
    #expect(table.advance(2, to: .admitted) == nil && table.peer(of: 2) == nil)
  }

  @Test func `every stage has a limit`() {
    for stage in Table.Stage.allCases {
      var table = Table()
      for key in 0..<2000 {
        _ = table.add(key, from: peer(key))
        _ = table.advance(key, to: stage)
      }
      #expect(table.count(in: stage) == stage.limits.all)
    }
  }
}
