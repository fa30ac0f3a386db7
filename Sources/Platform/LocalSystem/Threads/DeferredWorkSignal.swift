/// A signal with which render threads wake the thread that performs deferred work.
///
/// Realtime: ``wake()``, ``passCount`` and ``waitForPass(after:until:)`` are. Waking costs one system call that does
/// not block.
package struct DeferredWorkSignal: Sendable, BitwiseCopyable {
  private let words = SharedWords(count: 2)
  /// The number of calls of ``wake()``.
  private var word: SharedWord { @_noLocks get { words[0] } }
  /// The number of passes over all units.
  private var passes: SharedWord { @_noLocks get { words[1] } }

  /// Allocates the words. The owner must call ``destroy()``.
  package init() {}

  package func destroy() { words.destroy() }

  /// Wakes the thread that waits in ``wait(after:until:)``.
  @_noLocks package func wake() {
    word.increase()
    word.wake()
  }

  /// The number of calls of ``wake()``, modulo 2³².
  package var value: UInt32 { word.value }

  /// Waits for a call of ``wake()``. Returns immediately if there was one since `value` was read.
  ///
  /// - Parameters:
  ///   - value: The ``value`` that the caller has handled.
  ///   - deadline: In nanoseconds of ``MonotonicClock``; `nil`: none.
  package func wait(after value: UInt32, until deadline: Int64? = nil) {
    word.wait(while: value, until: deadline)
  }

  /// Reports that the deferred work of all units was performed once more.
  func finishPass() {
    passes.increase()
    passes.wake()
  }

  /// The number of passes, modulo 2³². In a pass, the deferred work of all units is performed once.
  package var passCount: UInt32 { @_noLocks get { passes.value } }

  /// Waits for the end of a pass. Returns immediately if a pass has ended since `count` was read.
  ///
  /// Only for a render thread whose host renders faster than real time, until a deadline that leaves time to render.
  ///
  /// - Parameters:
  ///   - count: The ``passCount`` that the caller has read.
  ///   - deadline: In nanoseconds of ``MonotonicClock``.
  @_noLocks package func waitForPass(after count: UInt32, until deadline: Int64) {
    passes.wait(while: count, until: deadline)
  }
}
