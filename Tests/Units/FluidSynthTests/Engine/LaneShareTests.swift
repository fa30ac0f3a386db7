import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct LaneShareTests {
  @Test func `each lane is taken once, by threads that take from both ends`() {
    let memory = RenderMemory()
    let share = LaneShare(capacity: 500, in: memory)
    for round in 0..<200 {
      let count = 1 + round * 2
      for index in 0..<count { share.set(Int32(1000 - index), at: index) }
      share.publish(count: count)
      let all = Mutex<[Int]>([])
      let threads = (0..<3).map { thread in
        TestThread {
          var taken: [Int] = []
          while let part = thread == 0 ? share.takeFirst(sharedBy: 3) : share.takeLast(sharedBy: 3)
          {
            for index in part.first..<part.first + part.count {
              taken.append(share.lane(at: index))
            }
          }
          all.withLock { $0 += taken }
        }
      }
      for thread in threads { thread.join() }
      let taken = all.withLock { $0.sorted() }
      #expect(taken == (0..<count).map { 1000 - $0 }.sorted())
    }
  }

  @Test func `several lanes are taken at once while many are left, then one`() throws {
    let memory = RenderMemory()
    let share = LaneShare(capacity: 100, in: memory)
    share.publish(count: 100)
    var counts: [Int] = []
    while let part = share.takeFirst(sharedBy: 2) { counts.append(part.count) }
    #expect(counts.first == 8 && counts.last == 1 && counts.reduce(0, +) == 100)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 })
  }
}
