import CJACK
import Dispatch

/// Restores the connections of a client, and remembers those that the user changes.
///
/// A connection that ends because the other client has ended is kept, and made again when its port returns.
///
/// Threads: all work is performed by ``JACKClient/enqueue(after:_:)``, and none after the client is closed.
///
/// `@unchecked Sendable`: the variables belong to that queue.
final class JACKConnectionMemory: @unchecked Sendable {
  private unowned let client: JACKClient
  private let store: JACKConnectionStore
  /// The name of the client in the store.
  private let name: String
  private var remembered: Set<JACKConnection> = []
  private var present: Set<JACKConnection> = []
  /// Whether to connect to the physical inputs as soon as there are any, because the user has changed nothing.
  private var awaitsInputs = false
  /// Those that this object makes, until JACK reports them.
  private var requested: Set<JACKConnection> = []

  init(_ client: JACKClient, _ store: JACKConnectionStore, name: String) {
    (self.client, self.store, self.name) = (client, store, name)
  }

  /// Registers the callback for new ports. The client is not active yet.
  func registerCallback() {
    let own = Unmanaged.passUnretained(self).toOpaque()
    _ = client.jack.set_port_registration_callback(client.handle, registrationCallback, own)
  }

  /// Makes the remembered connections whose ports exist.
  ///
  /// - Parameter connects: Whether a client that the user has not changed is connected to the physical inputs.
  func restore(orConnect connects: Bool) {
    if let connections = store.connections(of: name) {
      remembered = connections
      for connection in connections where exists(connection.other) { make(connection) }
    } else if connects {
      awaitsInputs = true
      connectToInputs()
    }
  }

  /// Makes the usual connections, unless there are no inputs yet: PipeWire's sinks return after PipeWire itself.
  private func connectToInputs() {
    guard awaitsInputs else { return }
    remembered = client.physicalConnections
    awaitsInputs = remembered.isEmpty
    for connection in remembered { make(connection) }
  }

  private func make(_ connection: JACKConnection) {
    requested.insert(connection)
    if !client.connect(connection) { requested.remove(connection) }
  }

  private func exists(_ port: String) -> Bool {
    client.jack.port_by_name(client.handle, port) != nil
  }

  /// Handles a connection that has been made or has ended.
  func handle(_ first: String, _ second: String, isConnected: Bool) {
    client.enqueue { [self] in
      let prefix = client.name + ":"
      let (own, other) = first.hasPrefix(prefix) ? (first, second) : (second, first)
      guard own.hasPrefix(prefix) else { return }
      let connection = JACKConnection(port: String(own.dropFirst(prefix.count)), other: other)
      if isConnected {
        present.insert(connection)
        if requested.remove(connection) == nil { change { $0.insert(connection).inserted } }
      } else {
        present.remove(connection)
        // If the other client has ended, its port is gone soon.
        client.enqueue(after: 0.3) { [self] in
          if present.contains(connection) || !exists(connection.other) { return }
          change { $0.remove(connection) != nil }
        }
      }
    }
  }

  private func change(_ body: (inout Set<JACKConnection>) -> Bool) {
    if body(&remembered) {
      awaitsInputs = false
      store.set(remembered, of: name)
    }
  }

  fileprivate func handleNewPort(_ name: String) {
    client.enqueue { [self] in
      for connection in remembered where connection.other == name && !present.contains(connection) {
        make(connection)
      }
      // The second input of a device follows the first one.
      if awaitsInputs { client.enqueue(after: 0.3) { [self] in connectToInputs() } }
    }
  }

  fileprivate func name(of port: jack_port_id_t) -> String? { client.name(of: port) }

  fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> JACKConnectionMemory? {
    context.map { Unmanaged<JACKConnectionMemory>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func registrationCallback(
  _ port: jack_port_id_t, _ isNew: CInt, _ context: UnsafeMutableRawPointer?
) {
  guard isNew != 0, let memory = JACKConnectionMemory.at(context), let name = memory.name(of: port)
  else { return }
  memory.handleNewPort(name)
}
