/// A gate through which a render thread accesses a resource, and with which another thread can end that access.
///
/// Realtime: ``acquire()`` and ``release()`` are; ``close()`` and ``open()`` are not.
package struct CallbackGate: BitwiseCopyable, Sendable {
  private let word: SharedWord

  private enum State {
    static var open: UInt32 { @_noLocks get { 0 } }
    static var acquired: UInt32 { @_noLocks get { 1 } }
    static var closed: UInt32 { @_noLocks get { 2 } }
  }

  /// - Parameter word: A word of value 0 that only this gate uses.
  @_noLocks package init(_ word: SharedWord) { self.word = word }

  /// Acquires the resource for the render thread.
  ///
  /// - Returns: `false` if the gate is closed. Otherwise the caller must call ``release()``.
  @_noLocks package func acquire() -> Bool { word.exchange(State.open, for: State.acquired) }

  @_noLocks package func release() { word.store(State.open) }

  /// Closes the gate. Waits for a caller in progress, normally for one cycle at most. If the renderer hangs, it waits
  /// until the renderer returns, because its state must not be freed before.
  package func close() {
    while !word.exchange(State.open, for: State.closed), word.value != State.closed {
      // Poll every millisecond: ``release()`` wakes no thread, so that it needs no system call in every cycle.
      word.wait(while: State.acquired, until: MonotonicClock.now + 1_000_000)
    }
  }

  /// Opens the gate again. The render thread sees everything written before.
  package func open() { _ = word.exchange(State.closed, for: State.open) }
}
