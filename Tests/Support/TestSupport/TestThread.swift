import Glibc

/// A thread that runs a closure.
package final class TestThread: Sendable {
  private let work: @Sendable () -> Void
  private nonisolated(unsafe) var thread = pthread_t()

  package init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(&thread, nil, runTestThread, context)
    precondition(code == 0, "cannot create a thread")
  }

  /// Waits until the thread ends; call it at most once.
  package func join() {
    pthread_join(thread, nil)
  }

  /// Detaches the thread, so that nothing waits for its end.
  package func detach() {
    pthread_detach(thread)
  }

  fileprivate func run() { work() }
}

private func runTestThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<TestThread>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
