import Glibc

/// A thread beside the test's own, which runs a closure to its end.
package final class TestThread: Sendable {
  private let work: @Sendable () -> Void
  private nonisolated(unsafe) var thread = pthread_t()

  package init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
    let context = Unmanaged.passRetained(self).toOpaque()
    precondition(pthread_create(&thread, nil, runTestThread, context) == 0, "no thread to be had")
  }

  /// Waits for its end; to be called once.
  package func join() {
    pthread_join(thread, nil)
  }

  /// Lets it end by itself, instead of waiting for it.
  package func detach() {
    pthread_detach(thread)
  }

  fileprivate func run() { work() }
}

@c private func runTestThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<TestThread>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
