import Threads

/// What is heard, on its way from the render thread to a file.
///
/// Two channels, a fixed number of frames; what finds no room is left out and counted.
///
/// Realtime: writing is. Threads: one writes, one reads.
package struct RecordBuffer: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let words: UnsafeMutablePointer<UInt32>
  /// About three seconds at 96 kHz.
  private static var length: Int { @_noLocks get { 1 << 18 } }

  /// Allocates. ``destroy()`` must follow.
  package init() {
    samples = .allocate(capacity: 2 * Self.length)
    samples.initialize(repeating: 0, count: 2 * Self.length)
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
  }

  package func destroy() {
    samples.deallocate()
    words.deallocate()
  }

  private var written: SharedWord { @_noLocks get { SharedWord(at: words) } }
  private var read: SharedWord { @_noLocks get { SharedWord(at: words + 1) } }
  private var lost: SharedWord { @_noLocks get { SharedWord(at: words + 2) } }

  /// Frames that found no room, since the beginning.
  package var refused: Int { Int(lost.value) }

  @_noLocks package func write(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    let position = written.value
    let room = Self.length - Int(position &- read.value)
    let count = min(frames, room)
    for frame in 0..<count {
      let place = 2 * (Int(position &+ UInt32(frame)) & (Self.length - 1))
      samples[place] = left[frame]
      samples[place + 1] = right[frame]
    }
    written.store(position &+ UInt32(count))
    if count < frames { lost.store(lost.value &+ UInt32(frames - count)) }
  }

  /// Takes everything out that is there, left and right in turn.
  package func drain() -> [Float] {
    let position = read.value
    let count = Int(written.value &- position)
    let all = [Float](unsafeUninitializedCapacity: 2 * count) { buffer, size in
      for frame in 0..<count {
        let place = 2 * (Int(position &+ UInt32(frame)) & (Self.length - 1))
        buffer.initializeElement(at: 2 * frame, to: samples[place])
        buffer.initializeElement(at: 2 * frame + 1, to: samples[place + 1])
      }
      size = 2 * count
    }
    read.store(position &+ UInt32(count))
    return all
  }
}
