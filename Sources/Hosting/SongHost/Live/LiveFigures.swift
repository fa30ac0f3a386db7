import Synchronization
import Threads

/// What the render thread and the thread with the panel tell each other.
///
/// Realtime: yes, apart from making and destroying it. Threads: any.
package struct LiveFigures: @unchecked Sendable, BitwiseCopyable {
  private let words: UnsafeMutablePointer<UInt32>
  private let frame: UnsafeMutablePointer<Atomic<Int64>>
  private let count: UnsafeMutablePointer<Atomic<Int64>>

  init() {
    words = .allocate(capacity: 5)
    words.initialize(repeating: 0, count: 5)
    frame = .allocate(capacity: 1)
    frame.initialize(to: Atomic(0))
    count = .allocate(capacity: 1)
    count.initialize(to: Atomic(0))
  }

  func destroy() {
    words.deallocate()
    frame.deallocate()
    count.deallocate()
  }

  /// Events that a node had no room for, because it was late: they are left out.
  package var refusedEvents: Int { Int(SharedWord(at: words).value) }
  /// Cycles in which a node was late, added up over all nodes.
  package var lateCycles: Int { Int(SharedWord(at: words + 1).value) }
  /// Times that the song was not planned in time, and there was silence.
  package var unplanned: Int { Int(SharedWord(at: words + 2).value) }
  /// The song's frame that comes next.
  package var songFrame: Int64 { frame.pointee.load(ordering: .relaxed) }

  /// Frames that were rendered, whatever the song did.
  package var renderedFrames: Int64 { count.pointee.load(ordering: .relaxed) }

  /// The greatest samples of the left and right channel since it was asked last.
  package func takePeaks() -> (left: Float, right: Float) {
    func take(_ index: Int) -> Float {
      let word = SharedWord(at: words + index)
      let bits = word.value
      _ = word.exchange(bits, for: 0)
      return Float(bitPattern: bits)
    }
    return (take(3), take(4))
  }

  @_noLocks func countRefused() { SharedWord(at: words).increase() }

  @_noLocks func countUnplanned() { SharedWord(at: words + 2).increase() }

  @_noLocks func publish(lateCycles: Int, song: Int64, frames: Int) {
    count.pointee.wrappingAdd(Int64(frames), ordering: .relaxed)
    SharedWord(at: words + 1).store(UInt32(truncatingIfNeeded: lateCycles))
    frame.pointee.store(song, ordering: .relaxed)
  }

  @_noLocks func follow(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int
  ) {
    follow(left, frames, 3)
    follow(right, frames, 4)
  }

  @_noLocks private func follow(_ samples: UnsafePointer<Float>, _ frames: Int, _ index: Int) {
    var peak: Float = 0
    for frame in 0..<frames { peak = max(peak, abs(samples[frame])) }
    let word = SharedWord(at: words + index)
    // The bits of positive numbers are in the order of the numbers.
    if peak.bitPattern > word.value { word.store(peak.bitPattern) }
  }
}
