import PortativeServer

/// The log of a server, on standard error or in its panel.
struct ServerLog: ServerObserver {
  /// Whether only errors are written.
  let isQuiet: Bool
  let lines = LogLines()

  func log(_ message: String) {
    if !isQuiet { lines.add(message) }
  }

  /// - Parameter record: What is kept for pages instead of the message.
  func log(_ message: String, record: String) {
    if !isQuiet { lines.add(message, record: record) }
  }

  func log(warning: String) { log("warning: \(warning)") }

  func log(error: String) { lines.add("portative: \(error)") }
}
