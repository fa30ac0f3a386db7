/// What render threads ring, and who tends their units waits for.
///
/// Realtime: ringing is; it costs one system call that does not block.
package struct TendingBell: @unchecked Sendable, BitwiseCopyable {
  private let memory: UnsafeMutablePointer<UInt32>
  private let word: SharedWord

  /// Allocates; ``destroy()`` must follow.
  package init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: 0)
    word = SharedWord(at: memory)
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
}
