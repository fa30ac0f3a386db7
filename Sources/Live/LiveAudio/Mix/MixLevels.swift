import LocalSystem
import Synchronization

/// The peaks of a port in the mix since they were last read.
///
/// The render thread raises them and one other thread resets them, with atomic operations: neither waits for the
/// other. A reset during a cycle may omit a peak that is lower than the one that it returns.
///
/// Realtime: yes, except ``init()`` and ``destroy()``, which the owner must call.
struct MixLevels: Sendable, BitwiseCopyable {
  private let words = SharedWords(count: 2)

  func destroy() { words.destroy() }

  @_noLocks func follow(_ peaks: StereoPeaks) {
    raise(words[0], to: peaks.left)
    raise(words[1], to: peaks.right)
  }

  @_noLocks private func raise(_ word: SharedWord, to peak: Float) {
    // The bits of floats that are not negative have the order of the numbers.
    if peak.bitPattern > word.value { word.store(peak.bitPattern) }
  }

  /// Returns the peaks since the last call, and resets them.
  func take() -> StereoPeaks { StereoPeaks(left: take(words[0]), right: take(words[1])) }

  private func take(_ word: SharedWord) -> Float {
    Float(bitPattern: word.atomicWord.pointee.exchange(0, ordering: .acquiringAndReleasing))
  }
}
