import CLinux
package import Synchronization

/// An atomic 32-bit word in memory shared by threads or processes, on which a thread can wait (a futex).
///
/// Realtime: yes, except ``wait(while:until:)``, which is the only wait of a render thread.
///
/// `@unchecked Sendable`: all accesses are atomic.
package struct SharedWord: @unchecked Sendable, BitwiseCopyable {
  private let atomic: UnsafeMutablePointer<Atomic<UInt32>>

  /// - Parameter memory: Four aligned bytes, valid as long as the word is used.
  @_noLocks package init(at memory: UnsafeMutableRawPointer) {
    atomic = memory.assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// The value, loaded with acquire order: writes made before it was stored are visible.
  package var value: UInt32 { @_noLocks get { atomic.pointee.load(ordering: .acquiring) } }

  /// Stores a value with release order. Wakes no thread.
  @_noLocks package func store(_ value: UInt32) {
    atomic.pointee.store(value, ordering: .releasing)
  }

  /// Adds 1 with acquire and release order. Wakes no thread.
  @_noLocks package func increase() {
    atomic.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// Adds `number` with acquire and release order. Wakes no thread.
  ///
  /// - Returns: The value before.
  @_noLocks package func add(_ number: UInt32) -> UInt32 {
    atomic.pointee.wrappingAdd(number, ordering: .acquiringAndReleasing).oldValue
  }

  /// Stores `value` if the word is `expected`, with acquire and release order.
  ///
  /// - Returns: Whether `value` was stored.
  @_noLocks package func exchange(_ expected: UInt32, for value: UInt32) -> Bool {
    atomic.pointee.compareExchange(
      expected: expected, desired: value, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Wakes all threads that wait on the word.
  @_noLocks package func wake() { futex_wake(address) }

  /// Waits while the word is `value`. It may return early (spurious wake-up).
  ///
  /// - Parameters:
  ///   - value: The value while which to wait.
  ///   - deadline: In nanoseconds of ``MonotonicClock``; `nil`: none.
  /// - Returns: `false` if the deadline has passed.
  @_noLocks @discardableResult
  package func wait(while value: UInt32, until deadline: Int64?) -> Bool {
    futex_wait(address, value, deadline ?? -1) == 0
  }

  /// The atomic itself, for code that does not wait on it.
  package var atomicWord: UnsafeMutablePointer<Atomic<UInt32>> { atomic }

  private var address: UnsafePointer<UInt32> {
    @_noLocks get { UnsafeRawPointer(atomic).assumingMemoryBound(to: UInt32.self) }
  }
}

/// The system's CLOCK_MONOTONIC, which is never set.
package enum MonotonicClock {
  /// The current time in nanoseconds. Realtime: yes.
  package static var now: Int64 { @_noLocks get { monotonic_now() } }
}
