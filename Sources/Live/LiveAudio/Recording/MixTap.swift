import Threads

/// Passes a mix from the render thread to a ``MixRing``, without waiting.
///
/// Realtime: yes. Threads: the render thread. The ring, which the ``Mixer`` keeps, must outlive it.
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
  ///   - mix: The samples of each channel. One channel is recorded as two; channels after the second are left out.
  ///   - position: The position of the cycle in the device's stream.
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
      let slot = UInt64(left[i].bitPattern) | UInt64(right[i].bitPattern) << 32
      slots[ring.index(first &+ 2 &+ UInt32(truncatingIfNeeded: i))] = slot
    }
    trailing.store(0)
    ring.written.store(first &+ 2 &+ UInt32(truncatingIfNeeded: frames))
  }
}
