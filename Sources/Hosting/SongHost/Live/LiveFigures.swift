import Synchronization
import Threads

/// Figures shared between the render thread and the thread of the panel.
///
/// Realtime: yes, except creation and destruction. Threads: any.
package struct LiveFigures: @unchecked Sendable, BitwiseCopyable {
  private let atomics: UnsafeMutablePointer<UInt32>
  private let frame: UnsafeMutablePointer<Atomic<Int64>>
  private let count: UnsafeMutablePointer<Atomic<Int64>>

  init() {
    atomics = .allocate(capacity: 5)
    atomics.initialize(repeating: 0, count: 5)
    frame = .allocate(capacity: 1)
    frame.initialize(to: Atomic(0))
    count = .allocate(capacity: 1)
    count.initialize(to: Atomic(0))
  }

  func destroy() {
    atomics.deallocate()
    frame.deallocate()
    count.deallocate()
  }

  /// The number of events dropped because a node was late and its FIFO was full.
  package var refusedEvents: Int { Int(SharedWord(at: atomics).value) }
  /// The number of late cycles, summed over all nodes.
  package var lateCycles: Int { Int(SharedWord(at: atomics + 1).value) }
  /// The number of times that no scheduled cycle was ready, and silence was output.
  package var underruns: Int { Int(SharedWord(at: atomics + 2).value) }
  /// The next frame of the song.
  package var songFrame: Int64 { frame.pointee.load(ordering: .relaxed) }

  /// The number of rendered frames, also while the song is stopped.
  package var renderedFrames: Int64 { count.pointee.load(ordering: .relaxed) }

  /// Returns the peaks of the left and right channel since the last call.
  package func readAndResetPeaks() -> (left: Float, right: Float) {
    func readAndReset(_ index: Int) -> Float {
      let word = SharedWord(at: atomics + index)
      let bits = word.value
      _ = word.exchange(bits, for: 0)
      return Float(bitPattern: bits)
    }
    return (readAndReset(3), readAndReset(4))
  }

  @_noLocks func countRefusedEvent() { SharedWord(at: atomics).increase() }

  @_noLocks func countUnderrun() { SharedWord(at: atomics + 2).increase() }

  @_noLocks func publish(lateCycles: Int, song: Int64, frames: Int) {
    count.pointee.wrappingAdd(Int64(frames), ordering: .relaxed)
    SharedWord(at: atomics + 1).store(UInt32(truncatingIfNeeded: lateCycles))
    frame.pointee.store(song, ordering: .relaxed)
  }

  @_noLocks func updatePeaks(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    updatePeaks(left, frames, 3)
    updatePeaks(right, frames, 4)
  }

  @_noLocks private func updatePeaks(_ samples: UnsafePointer<Float>, _ frames: Int, _ index: Int) {
    var peak: Float = 0
    for frame in 0..<frames { peak = max(peak, abs(samples[frame])) }
    let word = SharedWord(at: atomics + index)
    // The bit patterns of positive numbers sort like the numbers.
    if peak.bitPattern > word.value { word.store(peak.bitPattern) }
  }
}
