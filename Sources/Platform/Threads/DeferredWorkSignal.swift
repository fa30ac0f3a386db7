/// A signal with which render threads wake the thread that performs deferred work.
///
/// Realtime: ``wake()``, ``passCount`` and ``waitForPass(after:until:)`` are. Waking costs one system call that does
/// not block.
///
/// `@unchecked Sendable`: both words are atomic.
package struct DeferredWorkSignal: @unchecked Sendable, BitwiseCopyable {
  private let memory: UnsafeMutablePointer<UInt32>
  /// The number of calls of ``wake()``.
  private let word: SharedWord
  /// The number of passes over all units.
  private let passes: SharedWord

  /// Allocates the memory. The owner must call ``destroy()``.
  package init() {
    memory = .allocate(capacity: 2)
    memory.initialize(repeating: 0, count: 2)
    word = SharedWord(at: memory)
    passes = SharedWord(at: memory + 1)
  }

  package func destroy() { memory.deallocate() }

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
