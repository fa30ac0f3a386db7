import Threads

/// Passes a mix from the render thread to a thread that writes it to a file.
///
/// It holds a fixed number of frames of two channels. A cycle that finds no room is dropped and counted. The reader gets
/// the position of each cycle, so that it can write silence of the same length.
///
/// Realtime: no, except ``tap``. Threads: one writes, one reads.
///
/// `@unchecked Sendable`: ``RingPositions`` decides which thread has an element.
package final class MixRing: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<UInt64>
  private let ring: RingPositions
  private let words = SharedWords(count: 2)

  /// - Parameter capacity: The frames that it holds, less two for each cycle; a power of two. The default is 21 seconds
  ///   at 48 000 frames per second, in 8 MiB.
  package init(capacity: Int = 1 << 20) {
    ring = RingPositions(capacity: capacity)
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
  }

  /// No tap may be in use any more.
  deinit {
    slots.deallocate()
    ring.destroy()
    words.destroy()
  }

  /// The writer's side.
  package var tap: MixTap { MixTap(slots, ring, lost: words[0], trailing: words[1]) }

  /// The number of dropped frames, modulo 2³².
  package var lost: UInt32 { words[0].value }

  /// The number of dropped frames since the last cycle that was not dropped, modulo 2³².
  package var trailing: UInt32 { words[1].value }

  /// Removes the oldest cycle.
  ///
  /// - Parameter samples: Receives its samples, interleaved.
  /// - Returns: The position of the cycle in the device's stream; `nil` if there is none.
  package func next(_ samples: inout [Float]) -> Int64? {
    guard ring.count > 0 else { return nil }
    let first = ring.read.value
    let position = Int64(bitPattern: slots[ring.index(first)])
    let frames = UInt32(truncatingIfNeeded: slots[ring.index(first &+ 1)])
    samples.removeAll(keepingCapacity: true)
    for frame in 0..<frames {
      let slot = slots[ring.index(first &+ 2 &+ frame)]
      samples.append(Float(bitPattern: UInt32(truncatingIfNeeded: slot)))
      samples.append(Float(bitPattern: UInt32(truncatingIfNeeded: slot >> 32)))
    }
    ring.read.store(first &+ 2 &+ frames)
    return position
  }
}
