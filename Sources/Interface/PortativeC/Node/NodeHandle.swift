import CPortative
import NodeServer
import Synchronization

/// A `portative_node`.
final class NodeHandle: Sendable {
  private let state = Mutex(State())
  let events: Callback<NodeEventFunction>?

  private struct State {
    var server: NodeServer?
    var ports: [PortHandle] = []
    var isStopped = false
  }

  init(_ events: Callback<NodeEventFunction>?) { self.events = events }

  /// The server, which is set before the handle is returned to the caller.
  var server: NodeServer {
    get { state.withLock { $0.server! } }
    set { state.withLock { $0.server = newValue } }
  }

  /// Returns the handle of a port, which exists as long as this object.
  func handle(of port: PublishedPort) -> OpaquePointer {
    let object = state.withLock { state in
      if let known = state.ports.first(where: { $0.port === port }) { return known }
      let new = PortHandle(port, of: self)
      state.ports.append(new)
      return new
    }
    return OpaquePointer(Unmanaged.passUnretained(object).toOpaque())
  }

  /// Stops the server, and removes all callbacks. Does nothing after the first call.
  func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    if wasStopped { return }
    server.stop()
    events?.remove()
    for port in state.withLock({ $0.ports }) { port.setChange(nil) }
  }
}

/// A `portative_node_port`.
final class PortHandle: Sendable {
  let port: PublishedPort
  /// The node, which owns this object.
  unowned let node: NodeHandle
  private let change = Mutex<Callback<PortChangeFunction>?>(nil)

  init(_ port: PublishedPort, of node: NodeHandle) {
    self.port = port
    self.node = node
  }

  /// Replaces the callback. The old one is not running afterwards.
  func setChange(_ new: Callback<PortChangeFunction>?) {
    let old = change.withLock { change in
      let old = change
      change = new
      return old
    }
    old?.remove()
  }
}
