import NodeServer
import Synchronization
import Threads

/// Logs the events of a node server.
final class NodeEventLog: Sendable {
  private let observer: any ServerObserver
  /// The last error that was logged as a warning, so that it is not repeated.
  private let lastError = Mutex<RealtimePriorityError?>(nil)

  init(_ observer: any ServerObserver) { self.observer = observer }

  func log(_ event: ServerEvent) {
    observer.log(event.description)
    guard case .initialized(_, _, .refused(let error)) = event else { return }
    let isNew = lastError.withLock { last in
      defer { last = error }
      return last != error
    }
    if isNew { observer.log(warning: error.description) }
  }
}
