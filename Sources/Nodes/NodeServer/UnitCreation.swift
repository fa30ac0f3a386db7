import Dispatch
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// A render unit in the making, on a thread of its own: loading may take long, and whoever asked for it may
/// be gone before it is done. Nobody waits then, and the unit is dropped when it is there.
///
/// Realtime: no.
final class UnitCreation: Sendable {
  private let result = Mutex<Result<any RenderUnit, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Begins it.
  init(
    _ source: any RenderUnitSource, _ format: Format, for use: RenderContext
  ) throws(SystemError) {
    try SystemThread(name: "portative-make") {
      let made = Result { try source.makeUnit(format, for: use) }
      self.result.withLock { $0 = made }
      self.isDone.signal()
    }.detach()
  }

  /// Waits until it is done, or nobody wants it any more.
  ///
  /// - Returns: `nil` when nobody wants it.
  func wait(while isWanted: () -> Bool) -> Result<any RenderUnit, any Error>? {
    while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if !isWanted() { return nil }
    }
    return result.withLock { $0.take() }
  }
}
