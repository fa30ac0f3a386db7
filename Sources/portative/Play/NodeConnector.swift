import Components
import HostConnection
import NodeHost
import RenderCore

/// Connects to a port as a program does that a person waits for: it says what takes long, and can be
/// interrupted.
struct NodeConnector {
  let host = AudioHost(name: "portative play")
  let say: @Sendable (String) -> Void

  /// Takes the port, and starts its node if need be.
  func connect(to component: Component) throws(Failure) -> Connection {
    if !component.isRunning { say("starting the node '\(component.node)'") }
    var hasWaited = false
    while true {
      let host = host
      let attempt = try interruptibly {
        Result { () throws(ConnectionError) in try host.connect(to: component) }
      }
      do throws(ConnectionError) {
        return try attempt.get()
      } catch {
        // It runs, and nobody but the user knows how long it may load.
        guard case .launch(.notPublished(_, let node, let process, _, let published)) = error,
          published.isEmpty
        else { throw Failure(.failed, error.description) }
        if !hasWaited { say("waiting for the node '\(node)' (process \(process)) to load") }
        hasWaited = true
      }
    }
  }

  /// - Parameter priority: Of the thread that will render, under SCHED_FIFO, or 0.
  func initialize(
    _ connection: Connection, _ format: Format, mode: RenderMode, priority: Int
  ) throws(Failure) {
    let attempt = try interruptibly {
      Result { () throws(ConnectionError) in
        try connection.initialize(format, mode: mode, priority: priority)
      }
    }
    do throws(ConnectionError) {
      try attempt.get()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  /// What the port's instrument says of its notes; `nil` when the node does not say.
  func noteFigures(of connection: Connection) -> NoteFigures? {
    let report = try? host.report(ofNode: connection.node.name)
    let port = report?.ports.first { $0.port.component == connection.port.component }
    return port?.rendering.flatMap { NoteFigures($0.unit) }
  }
}
