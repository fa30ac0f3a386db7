import CLinux
package import Synchronization

/// An atomic 32-bit word in memory that several threads or processes share, which can be waited for.
///
/// Realtime: yes, apart from ``wait(while:until:)``, which is the one wait of a render cycle.
package struct SharedWord: @unchecked Sendable, BitwiseCopyable {
  private let atomic: UnsafeMutablePointer<Atomic<UInt32>>

  /// - Parameter memory: Four bytes, aligned, which outlive the word.
  @_noLocks package init(at memory: UnsafeMutableRawPointer) {
    atomic = memory.assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// Sees everything that was written before the value was stored.
  package var value: UInt32 { @_noLocks get { atomic.pointee.load(ordering: .acquiring) } }

  /// Publishes everything written before. Wakes nobody.
  @_noLocks package func store(_ value: UInt32) {
    atomic.pointee.store(value, ordering: .releasing)
  }

  /// Adds one, and publishes everything written before. Wakes nobody.
  @_noLocks package func increase() {
    atomic.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// Stores `value` if the word is still `expected`.
  @_noLocks package func exchange(_ expected: UInt32, for value: UInt32) -> Bool {
    atomic.pointee.compareExchange(
      expected: expected, desired: value, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Wakes all that wait for the word.
  @_noLocks package func wake() { futex_wake(address) }

  /// Waits while the word is `value`; it may also return early, without cause.
  ///
  /// - Parameter deadline: In nanoseconds of ``MonotonicClock``; `nil`: none.
  /// - Returns: Whether it was not the deadline that ended the wait.
  @_noLocks @discardableResult
  package func wait(while value: UInt32, until deadline: Int64?) -> Bool {
    futex_wait(address, value, deadline ?? -1) == 0
  }

  /// The word itself, for what knows nothing of waiting.
  package var atomicWord: UnsafeMutablePointer<Atomic<UInt32>> { atomic }

  private var address: UnsafePointer<UInt32> {
    @_noLocks get { UnsafeRawPointer(atomic).assumingMemoryBound(to: UInt32.self) }
  }
}

/// The system's clock that is never set.
package enum MonotonicClock {
  /// Nanoseconds. Realtime: yes.
  package static var now: Int64 { @_noLocks get { monotonic_now() } }
}
