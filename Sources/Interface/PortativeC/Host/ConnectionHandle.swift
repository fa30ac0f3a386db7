import CPortative
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization

/// A `portative_connection`: memory instead of an object, so that render threads need no reference counting.
struct ConnectionHandle: BitwiseCopyable {
  let connection: Unmanaged<Connection>
  fileprivate let resources: Unmanaged<ConnectionResources>

  /// Makes a handle, which must be freed by `portative_connection_free`.
  static func make(_ connection: Connection) -> OpaquePointer {
    let memory = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    memory.initialize(
      to: Self(
        connection: .passRetained(connection),
        resources: .passRetained(ConnectionResources(connection))))
    return OpaquePointer(memory)
  }
}

/// The memory that a connection's handle owns besides the connection. Realtime: no.
final class ConnectionResources: Sendable {
  private let memory = CMemory()
  nonisolated(unsafe) let port: UnsafePointer<portative_port>?
  nonisolated(unsafe) let node: UnsafePointer<CChar>
  let parameters = Mutex(ParametersHandle(.init()))
  let callbacks = Mutex(Callbacks())

  struct Callbacks {
    var change: Callback<ChangeFunction>?
    var notice: Callback<NoticeFunction>?
    var command: Callback<CommandFunction>?
  }

  init(_ connection: Connection) {
    port = memory.array([portative_port(connection.port, in: memory)])
    node = memory.string(connection.node.name)
  }
}

extension OpaquePointer {
  /// The connection of a `portative_connection`. Realtime: yes.
  var connection: Unmanaged<Connection> {
    @_noLocks get { UnsafePointer<ConnectionHandle>(self).pointee.connection }
  }

  /// The connection of a `portative_connection`. Realtime: no.
  var connectionObject: Connection { connection.takeUnretainedValue() }

  var connectionResources: ConnectionResources {
    UnsafePointer<ConnectionHandle>(self).pointee.resources.takeUnretainedValue()
  }
}

@_cdecl("portative_connection_free")
public func portative_connection_free(_ connection: OpaquePointer!) {
  guard let connection else { return }
  connection.connectionObject.close()
  removeCallbacks(of: connection)
  let handle = UnsafeMutablePointer<ConnectionHandle>(connection)
  handle.pointee.connection.release()
  handle.pointee.resources.release()
  handle.deallocate()
}
