import Dispatch
import Synchronization
import Threads

/// A thread that runs one function on request.
///
/// `@unchecked Sendable`: `thread` is used only by the thread that created this object.
final class Worker: @unchecked Sendable {
  private let work: @Sendable (_ frames: Int) -> Void
  /// The argument of the next call; 0 ends the thread.
  private let frames = Atomic(0)
  private var thread: SystemThread?
  private let start = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// - Parameter work: The function; receives the argument of ``begin(_:)``.
  init(_ work: @escaping @Sendable (_ frames: Int) -> Void) throws(SystemError) {
    self.work = work
    thread = try SystemThread(name: "portative-lanes") { self.run() }
  }

  /// Starts the work; ``wait()`` must be called before the next start.
  ///
  /// - Parameter frames: 1 or more.
  func begin(_ frames: Int) {
    self.frames.store(frames, ordering: .relaxed)
    start.signal()
  }

  /// Waits until the work is done.
  func wait() { done.wait() }

  /// Ends the thread after its current work, and waits for it.
  func stop() {
    begin(0)
    thread?.join()
  }

  private func run() {
    while true {
      start.wait()
      let frames = frames.load(ordering: .relaxed)
      if frames == 0 { return }
      work(frames)
      done.signal()
    }
  }
}
