import CLinux

/// A thread of this process whose scheduling other threads adopt.
///
/// Realtime: no, except ``current``.
package struct FollowedThread: Equatable, Sendable, BitwiseCopyable {
  /// The identifier of the thread in the kernel; 0: none.
  package let identifier: Int32

  package init(identifier: Int32) { self.identifier = identifier }

  /// The calling thread. Realtime: yes, but it is a system call.
  package static var current: FollowedThread {
    @_noLocks get { FollowedThread(identifier: thread_number()) }
  }

  /// The thread's priority under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler.
  package var priority: Int { Int(thread_priority_of(identifier)) }

  /// Gives the calling thread the processors and the priority of this thread. Beside a thread that is pinned to one
  /// processor, it may use all others of the process.
  ///
  /// It may wait for another process for seconds; see ``RealtimePriority``.
  ///
  /// - Returns: Whether the calling thread may now run at the same time as this one, with a priority of the same kind:
  ///   realtime threads should not wait for threads that ordinary programs delay.
  package func follow() -> Bool {
    guard thread_run_beside(identifier) == 0 else { return false }
    let priority = priority
    if priority == 0 {
      thread_drop_priority()
      return true
    }
    return (try? RealtimePriority.request(priority)) != nil
  }
}
