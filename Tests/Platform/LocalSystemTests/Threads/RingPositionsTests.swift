import LocalSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct RingPositionsTests {
  @Test func `counts continue where the positions start again from 0`() {
    let ring = RingPositions(capacity: 8)
    defer { ring.destroy() }
    ring.written.store(.max - 1)
    ring.read.store(.max - 1)
    #expect(ring.count == 0 && ring.room == 8)
    for _ in 0..<8 { ring.written.increase() }
    #expect(ring.written.value == 6)
    #expect(ring.count == 8 && ring.room == 0)
    #expect((0..<8).map { ring.index(.max - 1 &+ $0) } == [6, 7, 0, 1, 2, 3, 4, 5])
    ring.read.store(0)
    #expect(ring.count == 6 && ring.room == 2)
  }
}
