import Glibc
import PortativeServer
import Threads

/// Ends a server that hosts have started, when no host and no keyboard has used a port for some time.
struct UnusedWatch: Sendable {
  private let limit: Double

  /// - Parameter limit: The time in seconds, also from the start of the server until the first use.
  init(_ limit: Double) { self.limit = limit }

  /// Checks once per second, on a thread of its own. SIGTERM then ends the server as its user would.
  func start(_ server: PortativeServer, _ log: ServerLog) throws(SystemError) {
    try SystemThread(name: "portative-watch") {
      var lastUse = ContinuousClock.now
      while ContinuousClock.now - lastUse < .seconds(limit) {
        sleep(1)
        if server.isInUse { lastUse = .now }
      }
      log.log("no host and no keyboard has used a port for \(Int(limit)) s")
      kill(getpid(), SIGTERM)
    }.detach()
  }
}
