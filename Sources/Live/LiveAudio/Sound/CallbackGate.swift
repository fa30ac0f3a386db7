package import Threads

/// Lets a render thread use something until that is shut off from it, and again once it is opened.
///
/// Realtime: yes, apart from ``shut()`` and ``open()``.
package struct CallbackGate: BitwiseCopyable, Sendable {
  private let word: SharedWord

  private enum State {
    static var open: UInt32 { @_noLocks get { 0 } }
    static var entered: UInt32 { @_noLocks get { 1 } }
    static var shut: UInt32 { @_noLocks get { 2 } }
  }

  /// - Parameter word: 0, and of nobody else's.
  package init(_ word: SharedWord) { self.word = word }

  /// - Returns: `false` when it is shut; else ``leave()`` has to follow.
  @_noLocks package func enter() -> Bool { word.exchange(State.open, for: State.entered) }

  @_noLocks package func leave() { word.store(State.open) }

  /// Lets nobody enter any more. Waits for who is within: a cycle at most, if the renderer is what it should
  /// be; and if it is not, its state must not go.
  package func shut() {
    while !word.exchange(State.open, for: State.shut), word.value != State.shut {
      // Who leaves wakes nobody, in all the cycles in which nobody waits.
      word.wait(while: State.entered, until: MonotonicClock.now + 1_000_000)
    }
  }

  /// Lets the render thread enter again. What was written before is seen by it.
  package func open() { _ = word.exchange(State.shut, for: State.open) }
}
