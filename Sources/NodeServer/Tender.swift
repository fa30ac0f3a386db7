import HostConnection
import Realtime
import RenderCore
import Synchronization

/// A thread that tends a server's units whenever a render thread rings.
final class Tender: Sendable {
  let bell: TendingBell
  private let units = Mutex<[any RenderUnit]>([])
  private let isOver = Mutex(false)

  init() { bell = TendingBell() }

  deinit { bell.destroy() }

  /// Starts the thread, which keeps the tender alive until ``stop()``.
  func start() throws(SystemError) {
    try SystemThread(name: "portative-tend") { self.run() }.detach()
  }

  func stop() {
    isOver.withLock { $0 = true }
    bell.ring()
  }

  func add(_ unit: any RenderUnit) { units.withLock { $0.append(unit) } }

  func remove(_ unit: any RenderUnit) { units.withLock { $0.removeAll { $0 === unit } } }

  private func run() {
    while true {
      let heard = bell.value
      if isOver.withLock({ $0 }) { return }
      for unit in units.withLock({ $0 }) { unit.tend() }
      bell.wait(after: heard)
    }
  }
}
