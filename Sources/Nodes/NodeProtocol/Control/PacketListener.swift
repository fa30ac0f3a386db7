import CLinux
import Glibc
import Synchronization
package import Threads

/// A socket that hosts connect to.
///
/// Threads: one accepts; any may close.
package final class PacketListener: Sendable {
  package let descriptor: CInt
  /// Whether ``close()`` was called. A non-blocking socket that is shut down answers `EAGAIN` as an idle one does.
  private let isClosed = Atomic<Bool>(false)

  /// Connections that may wait to be accepted. Who comes when there are as many waits.
  private static let backlog: CInt = 256

  /// Listens at `path`, where nothing may be.
  package init(path: String) throws(SystemError) {
    let socket = packet_socket()
    if socket < 0 { throw SystemError(call: "socket") }
    // So that who waits for several sockets at once is not kept by one whose host is gone again.
    guard fcntl(socket, F_SETFL, O_NONBLOCK) == 0 else {
      let error = SystemError(call: "fcntl")
      Glibc.close(socket)
      throw error
    }
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
    while true {
      let result = acceptNow()
      guard case .failure(let error) = result, error.code == EAGAIN else { return result }
      _ = wait(or: [], milliseconds: nil)
    }
  }

  /// Accepts a host; fails with `EAGAIN` when there is none, and with `EINVAL` after ``close()``.
  package func acceptNow() -> Result<PacketSocket, SystemError> {
    if isClosed.load(ordering: .acquiring) {
      return .failure(SystemError(code: EINVAL, call: "accept"))
    }
    let accepted = packet_socket_accept(descriptor)
    return accepted < 0
      ? .failure(SystemError(call: "accept")) : .success(PacketSocket(owning: accepted))
  }

  /// Waits until ``acceptNow()`` has something to say, or one of several sockets has.
  ///
  /// - Parameter milliseconds: The longest wait; `nil`: no limit.
  /// - Returns: The sockets that have something to receive, be it the news that the peer is gone.
  package func wait(or sockets: [PacketSocket], milliseconds: Int?) -> [PacketSocket] {
    var entries =
      [pollfd(descriptor: descriptor)] + sockets.map { pollfd(descriptor: $0.descriptor) }
    guard poll(&entries, nfds_t(entries.count), CInt(milliseconds ?? -1)) > 0 else { return [] }
    return zip(sockets, entries.dropFirst()).filter { $1.revents != 0 }.map { $0.0 }
  }

  /// Lets nobody in any more, and ends a wait for them.
  package func close() {
    isClosed.store(true, ordering: .releasing)
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
