import LiveAudio
import Threads

/// Controls whether the render thread may use a chain of nodes, and whether the song may play it.
///
/// A chain whose node is lost is closed, so that another thread can connect and initialize it again. After it is
/// opened, its instruments are new. The song plays them from the scheduled cycle on that sends them its settings.
///
/// Realtime: ``acquire()``, ``release()``, ``isSynchronized`` and ``markSynchronized()`` are. Threads: the render
/// thread, except for ``close()`` and ``open()``, which belong to one other thread.
struct ChainGate: BitwiseCopyable {
  private let words = SharedWords(count: 2)

  private var gate: CallbackGate { @_noLocks get { CallbackGate(words[0]) } }
  private var needsSettings: SharedWord { @_noLocks get { words[1] } }

  func destroy() { words.destroy() }

  /// - Returns: `false` while the chain is closed; otherwise ``release()`` must be called afterwards.
  @_noLocks func acquire() -> Bool { gate.acquire() }

  @_noLocks func release() { gate.release() }

  /// Whether the chain's instruments have the song's settings.
  var isSynchronized: Bool { @_noLocks get { needsSettings.value == 0 } }

  @_noLocks func markSynchronized() { needsSettings.store(0) }

  /// Closes the chain to the render thread. Waits until the thread has released it.
  func close() { gate.close() }

  /// Opens the chain to the render thread, with new instruments that lack the song's settings.
  func open() {
    needsSettings.store(1)
    gate.open()
  }
}
