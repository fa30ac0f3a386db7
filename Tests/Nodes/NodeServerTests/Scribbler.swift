import CSegment
import RenderCore
import Synchronization
import TestSupport

@testable import NodeProtocol

/// A thread that writes random words to random places of a segment.
final class Scribbler: Sendable {
  private let isOver = Atomic(false)
  private nonisolated(unsafe) var thread: TestThread?

  init(_ segment: Segment, seed: UInt64) {
    thread = TestThread { [self] in
      var random = Seeded(seed)
      while !isOver.load(ordering: .relaxed) { Self.write(to: segment, &random) }
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }

  private static func write(to segment: Segment, _ random: inout Seeded) {
    // Half of the words to the header, so that each of its fields changes often.
    let size = Bool.random(using: &random) ? MemoryLayout<segment_header>.size : segment.layout.size
    let odd: [UInt32] = [0, 1, .max, 1 << 31, 64, 65, 4096, 4097, 0x7FC0_0000, 0x7F80_0000]
    segment.base.storeBytes(
      of: Bool.random(using: &random)
        ? UInt32(truncatingIfNeeded: random.next()) : odd.randomElement(using: &random)!,
      toByteOffset: Int.random(in: 0..<size / 4, using: &random) * 4, as: UInt32.self)
  }
}
