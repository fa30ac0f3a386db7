import CLinux
import Glibc
package import Threads

/// One end of a control socket: sends and receives whole packets, with a descriptor when one is due.
///
/// Realtime: no. Threads: one may send while another receives.
package final class PacketSocket: Sendable {
  package let descriptor: CInt

  /// The longest packet, in bytes.
  package static let limit = 65_536

  /// Takes over a connected socket.
  package init(owning descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Connects to the socket at `path`.
  package init(connectingTo path: String) throws(SystemError) {
    let socket = packet_socket()
    if socket < 0 { throw SystemError(call: "socket") }
    guard packet_socket_connect(socket, path) == 0 else {
      let error = SystemError(call: "connect")
      close(socket)
      throw error
    }
    descriptor = socket
  }

  /// Who is at the other end.
  package var peer: (process: Int32, user: UInt32)? {
    var process: Int32 = 0
    var user: UInt32 = 0
    return socket_peer(descriptor, &process, &user) == 0 ? (process, user) : nil
  }

  /// - Parameters:
  ///   - attached: A descriptor that the peer gets a copy of.
  ///   - waits: Whether to wait, five seconds at most, for a peer that does not read.
  /// - Throws: `EPIPE` or `ECONNRESET` when the peer is gone, `EAGAIN` when it does not read, `EMSGSIZE`
  ///   when the packet is too long.
  package func send(
    _ bytes: [UInt8], attached: CInt? = nil, waits: Bool = true
  ) throws(SystemError) {
    guard bytes.count <= Self.limit else { throw SystemError(code: EMSGSIZE, call: "sendmsg") }
    guard packet_send(descriptor, bytes, bytes.count, attached ?? -1, waits ? 1 : 0) == 0 else {
      throw SystemError(call: "sendmsg")
    }
  }

  /// Waits for a packet.
  ///
  /// - Returns: The packet; `nil` when the peer is gone.
  package func receive() throws(SystemError) -> ReceivedPacket? {
    var attached: CInt = -1
    var count = 0
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, initialized in
      count = packet_receive(descriptor, buffer.baseAddress, buffer.count, &attached)
      code = errno
      initialized = max(0, min(count, buffer.count))
    }
    let owned = attached < 0 ? nil : OwnedDescriptor(attached)
    if count < 0 { throw SystemError(code: code, call: "recvmsg") }
    if count == 0 { return nil }
    return ReceivedPacket(bytes: bytes, isWhole: count <= Self.limit, attached: owned)
  }

  /// Waits until there is something to receive.
  ///
  /// - Parameter milliseconds: The longest wait; `nil`: no limit.
  /// - Returns: Whether there is, be it the news that the peer is gone.
  package func waitForPacket(milliseconds: Int? = nil) -> Bool {
    var entry = pollfd(descriptor: descriptor)
    return poll(&entry, 1, CInt(milliseconds ?? -1)) > 0
  }

  /// Whether the connection has ended, though there may still be packets to receive.
  package var isOver: Bool {
    var entry = pollfd(descriptor: descriptor)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP) != 0
  }

  /// Ends the connection for both sides, and any wait for it.
  package func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}

extension pollfd {
  init(descriptor: CInt) {
    self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}

/// A packet as it came.
package struct ReceivedPacket: Sendable {
  package let bytes: [UInt8]
  /// `false` when it was longer than ``PacketSocket/limit``, and was cut.
  package let isWhole: Bool
  package let attached: OwnedDescriptor?
}

/// A descriptor that is closed when nobody needs it any more.
package final class OwnedDescriptor: Sendable {
  package let number: CInt
  package init(_ number: CInt) { self.number = number }
  deinit { close(number) }
}
