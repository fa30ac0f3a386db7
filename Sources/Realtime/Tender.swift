package import RenderCore
import Synchronization

/// A thread that tends units whenever a render thread rings.
package final class Tender: Sendable {
  package let bell: TendingBell
  private let units = Mutex<[any RenderUnit]>([])
  private let isOver = Mutex(false)

  package init() { bell = TendingBell() }

  deinit { bell.destroy() }

  /// Starts the thread, which keeps the tender alive until ``stop()``.
  package func start() throws(SystemError) {
    try SystemThread(name: "portative-tend") { self.run() }.detach()
  }

  package func stop() {
    isOver.withLock { $0 = true }
    bell.ring()
  }

  package func add(_ unit: any RenderUnit) { units.withLock { $0.append(unit) } }

  package func remove(_ unit: any RenderUnit) { units.withLock { $0.removeAll { $0 === unit } } }

  private func run() {
    while true {
      let heard = bell.value
      if isOver.withLock({ $0 }) { return }
      for unit in units.withLock({ $0 }) { unit.tend() }
      bell.finishPass()
      bell.wait(after: heard)
    }
  }
}
