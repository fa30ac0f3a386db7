import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct SysExPoolTests {
  @Test func `messages keep their bytes, in any order of insertion and removal`() {
    var random = Seeded(3)
    let memory = RenderMemory()
    defer { memory.release() }
    var pool = SysExPool(in: memory)
    var stored: [(SysExPool.Message, [UInt8])] = []
    var pieces = 0
    for round in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...600, using: &random)).map { UInt8(($0 + round) & 127) }
      let needed = SegmentLayout.slots(forSysEx: bytes.count) - 1
      if pieces + needed <= SegmentLayout.eventSlots {
        pieces += needed
        stored.append((bytes.withUnsafeBufferPointer { pool.store($0) }, bytes))
      } else {
        let (message, bytes) = stored.remove(at: Int.random(in: stored.indices, using: &random))
        #expect(pool.bytes(of: message) == bytes)
        pool.release(message)
        pieces -= SegmentLayout.slots(forSysEx: bytes.count) - 1
      }
    }
    for (message, bytes) in stored { #expect(pool.bytes(of: message) == bytes) }
  }
}
