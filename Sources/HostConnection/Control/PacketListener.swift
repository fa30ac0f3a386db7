import CRealtime
import Glibc
package import Realtime

/// A socket that hosts connect to.
///
/// Threads: one accepts; any may close.
package final class PacketListener: Sendable {
  private let descriptor: CInt

  /// Connections that may wait to be accepted.
  private static let backlog: CInt = 64

  /// Listens at `path`, where nothing may be.
  package init(path: String) throws(SystemError) {
    let socket = packet_socket()
    if socket < 0 { throw SystemError(call: "socket") }
    guard packet_socket_bind(socket, path) == 0, Glibc.listen(socket, Self.backlog) == 0 else {
      let error = SystemError(call: "bind")
      Glibc.close(socket)
      throw error
    }
    descriptor = socket
  }

  deinit { Glibc.close(descriptor) }

  /// Waits for a host.
  package func accept() -> Result<PacketSocket, SystemError> {
    let accepted = packet_socket_accept(descriptor)
    return accepted < 0
      ? .failure(SystemError(call: "accept")) : .success(PacketSocket(owning: accepted))
  }

  /// Lets nobody in any more, and ends a wait for them.
  package func close() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}
