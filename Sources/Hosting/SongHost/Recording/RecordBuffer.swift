import Threads

/// Passes rendered audio from the render thread to a file.
///
/// It holds a fixed number of frames of two channels. Frames beyond its capacity are dropped and counted.
///
/// Realtime: writing is. Threads: one writes, one reads.
package struct RecordBuffer: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  /// The frames; about three seconds at 96 kHz.
  private let ring = RingPositions(capacity: 1 << 18)
  private let lost = SharedWords(count: 1)

  /// Allocates the buffer. ``destroy()`` must be called afterwards.
  package init() {
    samples = .allocate(capacity: 2 * ring.capacity)
    samples.initialize(repeating: 0, count: 2 * ring.capacity)
  }

  package func destroy() {
    samples.deallocate()
    ring.destroy()
    lost.destroy()
  }

  /// The number of dropped frames.
  package var refused: Int { Int(lost[0].value) }

  @_noLocks package func write(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    let position = ring.written.value
    let count = min(frames, ring.room)
    for frame in 0..<count {
      let index = 2 * ring.index(position &+ UInt32(frame))
      samples[index] = left[frame]
      samples[index + 1] = right[frame]
    }
    ring.written.store(position &+ UInt32(count))
    if count < frames { lost[0].store(lost[0].value &+ UInt32(frames - count)) }
  }

  /// Removes and returns all frames, interleaved.
  package func drain() -> [Float] {
    let position = ring.read.value
    let count = ring.count
    let all = [Float](unsafeUninitializedCapacity: 2 * count) { buffer, size in
      for frame in 0..<count {
        let index = 2 * ring.index(position &+ UInt32(frame))
        buffer.initializeElement(at: 2 * frame, to: samples[index])
        buffer.initializeElement(at: 2 * frame + 1, to: samples[index + 1])
      }
      size = 2 * count
    }
    ring.read.store(position &+ UInt32(count))
    return all
  }
}
