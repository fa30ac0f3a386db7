import PortativeServer
import Synchronization

/// The messages of a server.
package final class TestLog: ServerObserver {
  private let lines = Mutex<[String]>([])

  package init() {}

  package var messages: [String] { lines.withLock { $0 } }

  package func log(_ message: String) { lines.withLock { $0.append(message) } }
  package func log(warning: String) { log("warning: \(warning)") }
  package func log(error: String) { log("error: \(error)") }
}
