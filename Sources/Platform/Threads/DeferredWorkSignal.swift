/// What render threads ring, and who tends their units waits for.
///
/// Realtime: ringing is; it costs one system call that does not block.
package struct DeferredWorkSignal: @unchecked Sendable, BitwiseCopyable {
  private let memory: UnsafeMutablePointer<UInt32>
  private let word: SharedWord
  /// How often the units were tended.
  private let passes: SharedWord

  /// Allocates; ``destroy()`` must follow.
  package init() {
    memory = .allocate(capacity: 2)
    memory.initialize(repeating: 0, count: 2)
    word = SharedWord(at: memory)
    passes = SharedWord(at: memory + 1)
  }

  package func destroy() { memory.deallocate() }

  @_noLocks package func ring() {
    word.increase()
    word.wake()
  }

  package var value: UInt32 { word.value }

  /// Waits until it is rung; not if it was rung after `value` was read.
  ///
  /// - Parameter deadline: In nanoseconds of ``MonotonicClock``; `nil`: none.
  package func wait(after value: UInt32, until deadline: Int64? = nil) {
    word.wait(while: value, until: deadline)
  }

  /// Says that all units have been tended once more.
  package func finishPass() {
    passes.increase()
    passes.wake()
  }

  /// How often the units were tended, modulo 2³².
  @_noLocks package func countPasses() -> UInt32 { passes.value }

  /// Waits until the units have been tended again; not if they were since `count` was read.
  ///
  /// For a render thread whose host has time to spare: no other wait may follow in the same cycle.
  ///
  /// - Parameter deadline: In nanoseconds of ``MonotonicClock``.
  @_noLocks package func awaitPass(after count: UInt32, until deadline: Int64) {
    passes.wait(while: count, until: deadline)
  }
}
