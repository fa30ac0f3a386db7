import Synchronization

/// A thread that tends units whenever a render thread rings.
package final class DeferredWorkThread: Sendable {
  package let bell: DeferredWorkSignal
  private let work = Mutex<[(owner: ObjectIdentifier, perform: @Sendable () -> Void)]>([])
  private let isOver = Mutex(false)

  package init() { bell = DeferredWorkSignal() }

  deinit { bell.destroy() }

  /// Starts the thread, which keeps the tender alive until ``stop()``.
  package func start() throws(SystemError) {
    try SystemThread(name: "portative-tend") { self.run() }.detach()
  }

  package func stop() {
    isOver.withLock { $0 = true }
    bell.ring()
  }

  /// Adds work, until `owner` is removed.
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
      let heard = bell.value
      if isOver.withLock({ $0 }) { return }
      for work in work.withLock({ $0 }) { work.perform() }
      bell.finishPass()
      bell.wait(after: heard)
    }
  }
}
