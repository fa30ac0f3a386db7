import RenderCore

/// Four channels of fixed-point sums: left, right, reverb send, chorus send.
///
/// They reach one block beyond the longest cycle, for the last block of a lane may end up to 63
/// frames after the cycle does.
struct Sums {
  private let memory: UnsafeMutablePointer<Int64>
  private let stride: Int

  /// Realtime: no, it allocates.
  init(maximumFrames: Int) {
    stride = maximumFrames + LanePool.blocksAtOnce * Lane.blockFrames
    memory = .allocate(capacity: stride * 4)
    memory.initialize(repeating: 0, count: stride * 4)
  }

  func destroy() { memory.deallocate() }

  @_noLocks func channel(_ index: Int) -> UnsafeMutablePointer<Int64> { memory + index * stride }

  /// Adds what `other` holds for a cycle of `frames` and the block beyond it, exactly, and leaves
  /// `other` empty.
  @_noLocks func take(_ other: Sums, frames: Int) {
    let count = frames + Lane.blockFrames
    for index in 0..<4 {
      FixedPoint.add(other.channel(index), to: channel(index), count: count)
      other.channel(index).update(repeating: 0, count: count)
    }
  }

  /// Drops the first `frames`: what lay beyond them moves to the front, and zeros follow it.
  @_noLocks func advance(by frames: Int) {
    let carried = Lane.blockFrames
    for index in 0..<4 {
      let sums = channel(index)
      for i in 0..<carried { sums[i] = sums[frames + i] }
      // A cycle shorter than a block moves less than it carries.
      for i in carried..<max(carried, frames + carried) { sums[i] = 0 }
    }
  }
}
