import Dispatch
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// Creates a render unit on a separate thread, because loading may take long and the host may disconnect before it is
/// done. The unit is then released when it is complete.
///
/// Realtime: no.
final class UnitCreation: Sendable {
  private let result = Mutex<Result<any RenderUnit, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the creation.
  init(
    _ source: any RenderUnitSource, _ format: Format, for context: RenderContext
  ) throws(SystemError) {
    try SystemThread(name: "portative-make") {
      let result = Result { try source.makeUnit(format, for: context) }
      self.result.withLock { $0 = result }
      self.isDone.signal()
    }.detach()
  }

  /// Waits until the unit is created or `isWanted` returns `false`.
  ///
  /// - Returns: The result; `nil` when the unit is no longer wanted.
  func wait(while isWanted: () -> Bool) -> Result<any RenderUnit, any Error>? {
    while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if !isWanted() { return nil }
    }
    return result.withLock { $0.take() }
  }
}
