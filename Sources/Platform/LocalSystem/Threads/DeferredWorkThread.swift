import Synchronization

/// A thread that performs the deferred work of units whenever a render thread wakes it.
package final class DeferredWorkThread: Sendable {
  package let signal: DeferredWorkSignal
  private let work = Mutex<[(owner: ObjectIdentifier, perform: @Sendable () -> Void)]>([])
  private let isStopped = Mutex(false)

  package init() { signal = DeferredWorkSignal() }

  deinit { signal.destroy() }

  /// Starts the thread. It keeps this object alive until ``stop()`` is called.
  package func start() throws(SystemError) {
    try SystemThread(name: "portative-work") { self.run() }.detach()
  }

  package func stop() {
    isStopped.withLock { $0 = true }
    signal.wake()
  }

  /// Adds a closure that the thread calls in every pass until `owner` is removed.
  package func add(for owner: AnyObject, _ perform: @escaping @Sendable () -> Void) {
    let owner = ObjectIdentifier(owner)
    work.withLock { $0.append((owner, perform)) }
  }

  package func remove(_ owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    work.withLock { $0.removeAll { $0.owner == owner } }
  }

  private func run() {
    while true {
      let received = signal.value
      if isStopped.withLock({ $0 }) { return }
      for work in work.withLock({ $0 }) { work.perform() }
      signal.finishPass()
      signal.wait(after: received)
    }
  }
}
