import CLinux
import Glibc
package import LocalSystem
import Synchronization

/// A listening socket for hosts.
///
/// Threads: one thread accepts; any thread may close.
package final class PacketListener: Sendable {
  package let descriptor: CInt
  /// Whether ``close()`` was called. Needed because `accept` on a non-blocking socket fails with `EAGAIN` both when the
  /// socket is idle and when it was shut down.
  private let isClosed = Atomic<Bool>(false)

  /// The maximum number of connections that wait to be accepted. Further hosts block in `connect`.
  private static let backlog: CInt = 256

  /// Listens at `path`, where no file may exist.
  package init(path: String) throws(SystemError) {
    let socket = packet_socket()
    if socket < 0 { throw SystemError(call: "socket") }
    // Non-blocking, so that a host that disconnects between `poll` and `accept` does not block the thread.
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

  /// Waits for a host and accepts it.
  package func accept() -> Result<PacketSocket, SystemError> {
    while true {
      let result = acceptNow()
      guard case .failure(let error) = result, error.code == EAGAIN else { return result }
      _ = wait(or: [], milliseconds: nil)
    }
  }

  /// Accepts a waiting host. Fails with `EAGAIN` when there is none, and with `EINVAL` after ``close()``.
  package func acceptNow() -> Result<PacketSocket, SystemError> {
    if isClosed.load(ordering: .acquiring) {
      return .failure(SystemError(code: EINVAL, call: "accept"))
    }
    let accepted = packet_socket_accept(descriptor)
    return accepted < 0
      ? .failure(SystemError(call: "accept")) : .success(PacketSocket(owning: accepted))
  }

  /// Waits until a host can be accepted, the listener is closed, or one of several sockets is readable.
  ///
  /// - Parameters:
  ///   - sockets: The sockets to wait for as well.
  ///   - milliseconds: The longest wait; `nil` for no limit.
  /// - Returns: The sockets that have a packet to receive or whose peer has disconnected.
  package func wait(or sockets: [PacketSocket], milliseconds: Int?) -> [PacketSocket] {
    var entries =
      [pollfd(descriptor: descriptor)] + sockets.map { pollfd(descriptor: $0.descriptor) }
    guard poll(&entries, nfds_t(entries.count), CInt(milliseconds ?? -1)) > 0 else { return [] }
    return zip(sockets, entries.dropFirst()).filter { $1.revents != 0 }.map { $0.0 }
  }

  /// Stops listening, and ends a wait in progress.
  package func close() {
    isClosed.store(true, ordering: .releasing)
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
