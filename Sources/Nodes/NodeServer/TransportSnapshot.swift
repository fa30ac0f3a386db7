import RenderCore
import Synchronization

/// A host's transport, written by the render thread in each cycle and read by other threads.
///
/// A sequence lock: a reader that overlaps a write reads again; the writer never waits.
///
/// Realtime: writing. Threads: one thread writes; any thread reads.
struct TransportSnapshot: @unchecked Sendable, BitwiseCopyable {
  /// The number of writes times two. Odd during a write.
  private let sequence: UnsafeMutablePointer<Atomic<UInt64>>
  /// Whether there is a transport, and then the words of the ``TransportPoint``.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private static var count: Int { @_noLocks get { MemoryLayout<TransportPoint>.stride / 8 } }

  init(in memory: RenderMemory) {
    sequence = memory.make(Atomic(0))
    words = memory.makeEach(1 + Self.count) { _ in Atomic(0) }
  }

  /// Stores the last transport of a cycle.
  ///
  /// - Parameter points: The transports of the cycle; may be empty.
  @_noLocks func write(_ points: UnsafeBufferPointer<TransportPoint>) {
    let begun = sequence.pointee.load(ordering: .relaxed)
    sequence.pointee.store(begun &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    words[0].store(points.count > 0 ? 1 : 0, ordering: .relaxed)
    if points.count > 0, let first = points.baseAddress {
      let last = UnsafeRawPointer(first + (points.count - 1))
      for index in 0..<Self.count {
        let word = last.load(fromByteOffset: 8 * index, as: UInt64.self)
        words[1 + index].store(word, ordering: .relaxed)
      }
    }
    sequence.pointee.store(begun &+ 2, ordering: .releasing)
  }

  /// The transport of the last cycle; `nil` if the host provided none or nothing was rendered yet.
  var value: Transport? {
    var point = TransportPoint(offset: 0, Transport())
    while true {
      let begun = sequence.pointee.load(ordering: .acquiring)
      let isProvided = words[0].load(ordering: .relaxed) == 1
      withUnsafeMutableBytes(of: &point) { bytes in
        for index in 0..<Self.count {
          let word = words[1 + index].load(ordering: .relaxed)
          // The last word may include padding.
          let part = bytes[(8 * index)...].prefix(8)
          withUnsafeBytes(of: word) {
            UnsafeMutableRawBufferPointer(rebasing: part).copyBytes(from: $0.prefix(part.count))
          }
        }
      }
      atomicMemoryFence(ordering: .acquiring)
      if begun % 2 == 0, sequence.pointee.load(ordering: .relaxed) == begun {
        return isProvided ? point.transport : nil
      }
    }
  }
}
