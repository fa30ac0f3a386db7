import Threads

/// Passes rendered audio from the render thread to a file.
///
/// It holds a fixed number of frames of two channels. Frames beyond its capacity are dropped and counted.
///
/// Realtime: writing is. Threads: one writes, one reads.
package struct RecordBuffer: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let atomics: UnsafeMutablePointer<UInt32>
  /// The capacity in frames, about three seconds at 96 kHz.
  private static var length: Int { @_noLocks get { 1 << 18 } }

  /// Allocates the buffer. ``destroy()`` must be called afterwards.
  package init() {
    samples = .allocate(capacity: 2 * Self.length)
    samples.initialize(repeating: 0, count: 2 * Self.length)
    atomics = .allocate(capacity: 3)
    atomics.initialize(repeating: 0, count: 3)
  }

  package func destroy() {
    samples.deallocate()
    atomics.deallocate()
  }

  private var written: SharedWord { @_noLocks get { SharedWord(at: atomics) } }
  private var read: SharedWord { @_noLocks get { SharedWord(at: atomics + 1) } }
  private var lost: SharedWord { @_noLocks get { SharedWord(at: atomics + 2) } }

  /// The number of dropped frames.
  package var refused: Int { Int(lost.value) }

  @_noLocks package func write(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    let position = written.value
    let room = Self.length - Int(position &- read.value)
    let count = min(frames, room)
    for frame in 0..<count {
      let index = 2 * (Int(position &+ UInt32(frame)) & (Self.length - 1))
      samples[index] = left[frame]
      samples[index + 1] = right[frame]
    }
    written.store(position &+ UInt32(count))
    if count < frames { lost.store(lost.value &+ UInt32(frames - count)) }
  }

  /// Removes and returns all frames, interleaved.
  package func drain() -> [Float] {
    let position = read.value
    let count = Int(written.value &- position)
    let all = [Float](unsafeUninitializedCapacity: 2 * count) { buffer, size in
      for frame in 0..<count {
        let index = 2 * (Int(position &+ UInt32(frame)) & (Self.length - 1))
        buffer.initializeElement(at: 2 * frame, to: samples[index])
        buffer.initializeElement(at: 2 * frame + 1, to: samples[index + 1])
      }
      size = 2 * count
    }
    read.store(position &+ UInt32(count))
    return all
  }
}
