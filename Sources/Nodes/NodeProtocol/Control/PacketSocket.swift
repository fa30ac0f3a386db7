import CLinux
import Glibc
package import LocalSystem

/// One end of a control socket: sends and receives whole packets, with an optional descriptor.
///
/// Realtime: no. Threads: one may send while another receives.
package final class PacketSocket: Sendable {
  package let descriptor: CInt

  /// The maximum length of a packet in bytes.
  package static let limit = 65_536

  /// Takes ownership of a connected socket.
  package init(owning descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    // A socket that is closed with unread packets resets the connection, and the peer would not receive the last
    // packet sent to it, which gives the reason. After the shutdown no more packets arrive.
    shutDown()
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) > 0 {}
    close(descriptor)
  }

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

  /// Returns two sockets of this process that are connected to each other.
  package static func pair() throws(SystemError) -> (PacketSocket, PacketSocket) {
    let ends = try connectedDescriptors()
    return (PacketSocket(owning: ends.0), PacketSocket(owning: ends.1))
  }

  /// Returns a socket, and the descriptor of the other end for a process that this one starts.
  package static func pairWithChild() throws(SystemError) -> (OwnedDescriptor, PacketSocket) {
    let ends = try connectedDescriptors()
    return (OwnedDescriptor(ends.0), PacketSocket(owning: ends.1))
  }

  private static func connectedDescriptors() throws(SystemError) -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    if packet_socket_pair(&ends) != 0 { throw SystemError(call: "socketpair") }
    return (ends[0], ends[1])
  }

  /// The process ID and user ID of the peer, from the kernel (`SO_PEERCRED`).
  package var peer: (process: Int32, user: UInt32)? {
    var process: Int32 = 0
    var user: UInt32 = 0
    return socket_peer(descriptor, &process, &user) == 0 ? (process, user) : nil
  }

  /// Sends a packet.
  ///
  /// - Parameters:
  ///   - bytes: The packet; at most ``limit`` bytes.
  ///   - attached: A descriptor to pass to the peer, which receives a duplicate.
  ///   - waits: Whether to wait, for 5 s at most, while the socket's buffer is full.
  /// - Throws: `EPIPE` or `ECONNRESET` when the peer has disconnected, `EAGAIN` when the buffer is full because the
  ///   peer does not read, `EMSGSIZE` when the packet is too long.
  package func send(
    _ bytes: [UInt8], attached: CInt? = nil, waits: Bool = true
  ) throws(SystemError) {
    guard bytes.count <= Self.limit else { throw SystemError(code: EMSGSIZE, call: "sendmsg") }
    guard packet_send(descriptor, bytes, bytes.count, attached ?? -1, waits ? 1 : 0) == 0 else {
      throw SystemError(call: "sendmsg")
    }
  }

  /// Waits for a packet and receives it.
  ///
  /// - Returns: The packet; `nil` when the peer has disconnected.
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

  /// Waits until there is a packet to receive or the peer has disconnected.
  ///
  /// - Parameter milliseconds: The longest wait; `nil` for no limit.
  /// - Returns: `false` when the limit has passed.
  package func waitForPacket(milliseconds: Int? = nil) -> Bool {
    var entry = pollfd(descriptor: descriptor)
    return poll(&entry, 1, CInt(milliseconds ?? -1)) > 0
  }

  /// Waits until the connection has ended.
  package func waitForEnd() {
    var entry = pollfd(descriptor: descriptor)
    entry.events = 0
    while poll(&entry, 1, -1) <= 0 {}
  }

  /// Whether the connection has ended. There may still be packets to receive.
  package var isOver: Bool {
    var entry = pollfd(descriptor: descriptor)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP) != 0
  }

  /// Ends the connection for both sides, and ends waits in progress.
  package func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}

extension pollfd {
  init(descriptor: CInt) {
    self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}

/// A received packet.
package struct ReceivedPacket: Sendable {
  package let bytes: [UInt8]
  /// `false` when the packet was longer than ``PacketSocket/limit`` and was truncated.
  package let isWhole: Bool
  package let attached: OwnedDescriptor?
}

/// A file descriptor that is closed when this object is released.
package final class OwnedDescriptor: Sendable {
  package let number: CInt
  package init(_ number: CInt) { self.number = number }
  deinit { close(number) }
}
