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
    stride = maximumFrames + Lane.blockFrames
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

  /// Begins a cycle with what the one before left beyond its end. The sums are empty before.
  @_noLocks func begin(after previous: Sums, frames: Int) {
    for index in 0..<4 {
      let (mine, theirs) = (channel(index), previous.channel(index) + frames)
      for i in 0..<Lane.blockFrames { mine[i] = theirs[i] }
    }
  }

  /// Empties what a cycle of `frames` has used.
  @_noLocks func clear(frames: Int) {
    for index in 0..<4 {
      channel(index).update(repeating: 0, count: frames + Lane.blockFrames)
    }
  }
}
