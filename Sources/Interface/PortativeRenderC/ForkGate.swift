import Glibc

/// Keeps forks and calls apart, so that no lock is held in a child, where the thread that holds it does not exist.
///
/// Every call that takes locks or changes shared memory runs in ``pass(_:)``. A fork waits for the calls in progress;
/// a long rendering passes once for each cycle. Passes must not be nested.
enum ForkGate {
  private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    initialize(lock)
    pthread_atfork(
      { pthread_rwlock_wrlock(ForkGate.lock) }, { pthread_rwlock_unlock(ForkGate.lock) },
      // The lock knows its owner by the thread's number, which differs in the child.
      { ForkGate.initialize(ForkGate.lock) })
    return lock
  }()

  private static func initialize(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
    var attributes = pthread_rwlockattr_t()
    pthread_rwlockattr_init(&attributes)
    // Otherwise a fork could wait for as long as several threads render.
    pthread_rwlockattr_setkind_np(
      &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    pthread_rwlock_init(lock, &attributes)
    pthread_rwlockattr_destroy(&attributes)
  }

  static func pass<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}
