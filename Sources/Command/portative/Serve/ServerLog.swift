import PortativeServer

/// The log of a server, on standard error.
struct ServerLog: ServerObserver {
  /// Whether only errors are written.
  let isQuiet: Bool

  func log(_ message: String) {
    if !isQuiet { Terminal.note(message) }
  }

  func log(warning: String) { log("warning: \(warning)") }

  func log(error: String) { Terminal.complain(error) }
}
