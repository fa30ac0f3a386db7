import LocalSystem

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

  /// The frames that it holds, less two for each cycle.
  package var capacity: Int { ring.capacity }

  /// The number of dropped frames, modulo 2³².
  package var lost: UInt32 { words[0].value }

  /// The number of dropped frames since the last cycle that was not dropped, modulo 2³².
  package var trailing: UInt32 { words[1].value }

  /// The position of the oldest cycle, which stays in the ring; `nil` if there is none.
  package var position: Int64? {
    if ring.count == 0 { return nil }
    return Int64(bitPattern: slots[ring.index(ring.read.value)])
  }

  /// Removes the oldest cycle.
  ///
  /// - Parameter samples: Receives its samples, interleaved.
  /// - Precondition: ``position`` is not `nil`.
  package func removeFirst(_ samples: inout [Float]) {
    let first = ring.read.value
    let frames = UInt32(truncatingIfNeeded: slots[ring.index(first &+ 1)])
    samples.removeAll(keepingCapacity: true)
    for frame in 0..<frames {
      let slot = slots[ring.index(first &+ 2 &+ frame)]
      samples.append(Float(bitPattern: UInt32(truncatingIfNeeded: slot)))
      samples.append(Float(bitPattern: UInt32(truncatingIfNeeded: slot >> 32)))
    }
    ring.read.store(first &+ 2 &+ frames)
  }
}

/// Passes a mix from the render thread to a ``MixRing``, without waiting.
///
/// Realtime: yes. Threads: the render thread. The ring must outlive it.
package struct MixTap: @unchecked Sendable, BitwiseCopyable {
  /// For each cycle its position, its number of frames, and its frames. `nil`: nothing is recorded.
  private let slots: UnsafeMutablePointer<UInt64>?
  private let ring: RingPositions?
  /// The number of dropped frames, and of those since the last cycle that was not dropped. Written by the render thread.
  private let lost: SharedWord?
  private let trailing: SharedWord?

  init(
    _ slots: UnsafeMutablePointer<UInt64>, _ ring: RingPositions, lost: SharedWord,
    trailing: SharedWord
  ) {
    self.slots = slots
    self.ring = ring
    self.lost = lost
    self.trailing = trailing
  }

  private init() {
    slots = nil
    ring = nil
    lost = nil
    trailing = nil
  }

  /// A tap that records nothing.
  package static var none: MixTap { MixTap() }

  /// Records a cycle, or drops all of it if there is no room.
  ///
  /// - Parameters:
  ///   - mix: The samples of each channel. One channel is recorded as two. Of more than two, the sum of those with even
  ///     numbers is recorded as left, and the sum of the others as right.
  ///   - position: The position of the cycle in its stream. Position 0 begins a stream.
  @_noLocks package func record(
    _ mix: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int,
    at position: Int64
  ) {
    guard let slots, let ring, let lost, let trailing, channels > 0, frames > 0 else { return }
    if ring.room < frames + 2 {
      lost.store(lost.value &+ UInt32(truncatingIfNeeded: frames))
      trailing.store(trailing.value &+ UInt32(truncatingIfNeeded: frames))
      return
    }
    let (left, right) = (mix[0], mix[channels > 1 ? 1 : 0])
    let first = ring.written.value
    slots[ring.index(first)] = UInt64(bitPattern: position)
    slots[ring.index(first &+ 1)] = UInt64(frames)
    for i in 0..<frames {
      var sum = (left[i], right[i])
      for pair in stride(from: 2, to: channels - 1, by: 2) {
        sum.0 += mix[pair][i]
        sum.1 += mix[pair + 1][i]
      }
      let slot = UInt64(sum.0.bitPattern) | UInt64(sum.1.bitPattern) << 32
      slots[ring.index(first &+ 2 &+ UInt32(truncatingIfNeeded: i))] = slot
    }
    trailing.store(0)
    ring.written.store(first &+ 2 &+ UInt32(truncatingIfNeeded: frames))
  }
}
