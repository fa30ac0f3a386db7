import LocalSystem
import Synchronization

/// Figures shared between the render thread and the thread of the panel.
///
/// Realtime: yes, except creation and destruction. Threads: any.
///
/// `@unchecked Sendable`: the figures are atomic.
package struct LiveFigures: @unchecked Sendable, BitwiseCopyable {
  private let counters: UnsafeMutablePointer<Counters>
  private let peaks = SharedWords(count: 2)

  private struct Counters: ~Copyable {
    let refusedEvents = Atomic(0)
    let lateCycles = Atomic(0)
    let underruns = Atomic(0)
    let songFrame = Atomic(0)
    let renderedFrames = Atomic(0)
    let startTime = Atomic(Int.min)
  }

  init() {
    counters = .allocate(capacity: 1)
    counters.initialize(to: Counters())
  }

  func destroy() {
    counters.deallocate()
    peaks.destroy()
  }

  /// The number of events dropped because a node was late and its FIFO was full.
  package var refusedEvents: Int { counters.pointee.refusedEvents.load(ordering: .relaxed) }
  /// The number of late cycles, summed over all nodes.
  package var lateCycles: Int { counters.pointee.lateCycles.load(ordering: .relaxed) }
  /// The number of times that no scheduled cycle was ready, and silence was output.
  package var underruns: Int { counters.pointee.underruns.load(ordering: .relaxed) }
  /// The next frame of the song.
  package var songFrame: Int64 { Int64(counters.pointee.songFrame.load(ordering: .relaxed)) }
  /// The number of rendered frames, also while the song is stopped.
  package var renderedFrames: Int64 {
    Int64(counters.pointee.renderedFrames.load(ordering: .relaxed))
  }

  /// The time at which the first scheduled frame was heard, by the device's clock now, in nanoseconds of `MonotonicClock`;
  /// `nil` before the first cycle.
  var startTime: Int64? {
    let time = counters.pointee.startTime.load(ordering: .relaxed)
    return time == .min ? nil : Int64(time)
  }

  /// Returns the peaks of the left and right channel since the last call.
  package func readAndResetPeaks() -> (left: Float, right: Float) {
    func readAndReset(_ word: SharedWord) -> Float {
      let bits = word.value
      _ = word.exchange(bits, for: 0)
      return Float(bitPattern: bits)
    }
    return (readAndReset(peaks[0]), readAndReset(peaks[1]))
  }

  @_noLocks func countRefusedEvent() {
    counters.pointee.refusedEvents.wrappingAdd(1, ordering: .relaxed)
  }

  @_noLocks func countUnderrun() { counters.pointee.underruns.wrappingAdd(1, ordering: .relaxed) }

  @_noLocks func publish(startTime: Int64) {
    counters.pointee.startTime.store(Int(startTime), ordering: .relaxed)
  }

  @_noLocks func publish(lateCycles: Int, song: Int64, frames: Int) {
    counters.pointee.renderedFrames.wrappingAdd(frames, ordering: .relaxed)
    counters.pointee.lateCycles.store(lateCycles, ordering: .relaxed)
    counters.pointee.songFrame.store(Int(song), ordering: .relaxed)
  }

  @_noLocks func updatePeaks(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    updatePeak(peaks[0], left, frames)
    updatePeak(peaks[1], right, frames)
  }

  @_noLocks private func updatePeak(
    _ word: SharedWord, _ samples: UnsafePointer<Float>, _ frames: Int
  ) {
    var peak: Float = 0
    for frame in 0..<frames { peak = max(peak, abs(samples[frame])) }
    // The bit patterns of positive numbers sort like the numbers.
    if peak.bitPattern > word.value { word.store(peak.bitPattern) }
  }
}
