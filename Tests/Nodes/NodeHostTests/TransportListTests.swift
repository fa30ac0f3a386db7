import RenderCore
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct TransportListTests {
  @Test func `transports are ordered by frame, whatever the order of insertion`() {
    let memory = RenderMemory()
    defer { memory.release() }
    var list = TransportList(in: memory)
    for offset in [5, 0, 9, 3, 5, 64] as [UInt32] {
      let isTaken = list.insert(Transport(), at: offset)
      #expect(isTaken)
    }
    #expect(list.points(frames: 64).map(\.offset) == [0, 3, 5, 9])
    #expect(list.points(frames: 4).map(\.offset) == [0, 3])
    list.removeAll()
    #expect(list.points(frames: 64).isEmpty)
  }

  @Test func `a full list refuses, but still replaces`() {
    let memory = RenderMemory()
    defer { memory.release() }
    var list = TransportList(in: memory)
    for offset in 0..<64 as Range<UInt32> { _ = list.insert(Transport(), at: offset) }
    let isFull = !list.insert(Transport(), at: 64)
    #expect(isFull)
    var other = Transport()
    other.beat = 3
    let isTaken = list.insert(other, at: 7)
    #expect(isTaken)
    #expect(list.points(frames: 64)[7].transport.beat == 3)
    #expect(list.points(frames: 64).count == 64)
  }
}
