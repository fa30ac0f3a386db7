import Glibc
import Synchronization

/// Runs `work` for every index below `count`, on `threads` threads, and waits for all.
///
/// Indices are taken in their order. Threads of our own and not Dispatch's, which are as many as
/// there are processors, whatever number the user asked for.
func inParallel(_ count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let crew = Crew(count: count, work: work)
  var started: [pthread_t] = []
  for _ in 1..<max(1, min(threads, count)) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(crew)
    if pthread_create(&thread, nil, joinCrew, context.toOpaque()) == 0 {
      started.append(thread)
    } else {
      context.release()
    }
  }
  // The caller works too, so all is done even where no thread can be made.
  crew.run()
  for thread in started { pthread_join(thread, nil) }
}

/// Something to be done the first time that it is asked for, from whatever thread.
final class Once: Sendable {
  private let isDone = Atomic<Bool>(false)
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  func run() {
    if !isDone.exchange(true, ordering: .relaxed) { work() }
  }
}

private final class Crew: Sendable {
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

private func joinCrew(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Crew>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
