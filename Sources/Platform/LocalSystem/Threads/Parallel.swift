import Synchronization

/// Calls `work` with each index below `count`, on at most `threads` threads, and waits until all calls have returned.
///
/// The calls start in the order of the indices. It does not use Dispatch, which always uses as many threads as there
/// are processors.
package func inParallel(_ count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let workers = WorkerGroup(count: count, work: work)
  // The calling thread works too, so all calls are made even if no thread can be started.
  let threads = (1..<max(1, min(threads, count))).compactMap { _ in
    try? SystemThread(name: "portative-job") { workers.run() }
  }
  workers.run()
  for thread in threads { thread.join() }
}

/// Work that is performed once, by the first thread that calls ``run()``. Others wait until it is done.
package final class Once: Sendable {
  private let isDone = Mutex(false)
  private let work: @Sendable () -> Void

  package init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  package func run() {
    isDone.withLock { isDone in
      if !isDone { work() }
      isDone = true
    }
  }
}

private final class WorkerGroup: Sendable {
  private let next = Atomic<Int>(0)
  private let count: Int
  private let work: @Sendable (Int) -> Void

  init(count: Int, work: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.work = work
  }

  func run() {
    while case let index = next.add(1, ordering: .relaxed).oldValue, index < count { work(index) }
  }
}
