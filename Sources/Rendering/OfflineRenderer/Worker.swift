import Glibc
import LocalSystem

/// A thread that runs one function on request.
///
/// `@unchecked Sendable`: `frames` and `isStopping` are written before `start` is posted and read
/// after it was waited for; the semaphores order everything else in the same way.
final class Worker: @unchecked Sendable {
  private let work: @Sendable (_ frames: Int) -> Void
  private var frames = 0
  private var isStopping = false
  private var thread = pthread_t()
  private let start = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// - Parameter work: The function; receives the argument of ``begin(_:)``.
  init(_ work: @escaping @Sendable (_ frames: Int) -> Void) throws(ThreadError) {
    self.work = work
    sem_init(start, 0, 0)
    sem_init(done, 0, 0)
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, nil, runWorker, context.toOpaque())
    if code != 0 {
      context.release()
      throw ThreadError(code: code)
    }
  }

  deinit {
    sem_destroy(start)
    sem_destroy(done)
    start.deallocate()
    done.deallocate()
  }

  /// Starts the work; ``wait()`` must be called before the next start.
  ///
  /// - Parameter frames: 1 or more.
  func begin(_ frames: Int) {
    self.frames = frames
    sem_post(start)
  }

  /// Waits until the work is done.
  func wait() {
    while sem_wait(done) != 0 {}
  }

  /// Ends the thread after its current work, and waits for it.
  func stop() {
    isStopping = true
    sem_post(start)
    pthread_join(thread, nil)
  }

  fileprivate func run() {
    while true {
      while sem_wait(start) != 0 {}
      if isStopping { return }
      work(frames)
      sem_post(done)
    }
  }
}

@c private func runWorker(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
