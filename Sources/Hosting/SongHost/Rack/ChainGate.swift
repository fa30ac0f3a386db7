import LiveAudio
import Threads

/// Whether the render thread may use a chain of nodes, and whether the song may play it.
///
/// A chain whose node is gone is shut, so that another thread can connect and initialize it anew; opened again, its
/// instrument is fresh, and the song plays it from the plan on that has told it what the song has set.
///
/// Realtime: ``enter()``, ``leave()``, ``isFollowing`` and ``follow()`` are. Threads: the render thread's, but for
/// ``shut()`` and ``open()``, which belong to one other.
struct ChainGate: BitwiseCopyable {
  private let gate: CallbackGate
  private let freshness: SharedWord

  static var wordCount: Int { 2 }

  /// - Parameter words: ``wordCount`` of them, 0.
  init(_ words: UnsafeMutablePointer<UInt32>) {
    gate = CallbackGate(SharedWord(at: words))
    freshness = SharedWord(at: words + 1)
  }

  /// - Returns: `false` while the chain is shut; else ``leave()`` has to follow.
  @_noLocks func enter() -> Bool { gate.enter() }

  @_noLocks func leave() { gate.leave() }

  /// Whether the chain's instrument knows what the song has set.
  var isFollowing: Bool { @_noLocks get { freshness.value == 0 } }

  @_noLocks func follow() { freshness.store(0) }

  /// Keeps the render thread out. Waits until it is.
  func shut() { gate.shut() }

  /// Lets the render thread in, with instruments that know nothing of the song.
  func open() {
    freshness.store(1)
    gate.open()
  }
}
