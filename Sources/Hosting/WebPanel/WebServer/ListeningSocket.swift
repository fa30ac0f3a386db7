import Glibc

/// A TCP socket that listens at one address of this machine, and at no other. The owner must close the descriptor.
///
/// Realtime: no. Threads: any.
struct ListeningSocket {
  /// Does not block, and is closed when the process executes another program.
  let descriptor: CInt
  /// The address at which it listens, as the kernel names it.
  let address: SocketAddress

  /// Connections that wait to be accepted.
  private static let backlog: CInt = 512

  /// Opens the socket.
  ///
  /// - Parameters:
  ///   - address: An address of IPv4 or IPv6, with an interface if it is link-local (`fe80::1%eth0`). `::` does not
  ///     include the addresses of IPv4.
  ///   - port: The port; 0 for any.
  /// - Throws: ``WebServerError/cannotListen(address:port:code:)``, with `EADDRNOTAVAIL` if the address is not this
  ///   machine's; ``WebServerError/listensElsewhere(address:port:found:)`` if the kernel names another address than
  ///   `address` for the socket.
  init(address: String, port: Int) throws(WebServerError) {
    guard let wanted = SocketAddress(address, port: port) else {
      throw .cannotListen(address: address, port: port, code: EAFNOSUPPORT)
    }
    let descriptor = socket(
      wanted.family,
      CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else {
      throw .cannotListen(address: address, port: port, code: errno)
    }
    // Else a port cannot be used for a minute after a server has closed connections there.
    Self.enable(SO_REUSEADDR, SOL_SOCKET, descriptor)
    if wanted.family == AF_INET6 { Self.enable(IPV6_V6ONLY, CInt(IPPROTO_IPV6), descriptor) }
    guard wanted.withPointer({ bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, Self.backlog) == 0
    else {
      let code = errno
      close(descriptor)
      throw .cannotListen(address: address, port: port, code: code)
    }
    let bound = SocketAddress(boundTo: descriptor)
    guard let bound, bound.bytes == wanted.bytes, port == 0 || bound.port == port else {
      close(descriptor)
      throw .listensElsewhere(
        address: address, port: port, found: bound?.description ?? "an unknown address")
    }
    (self.descriptor, self.address) = (descriptor, bound)
  }

  private static func enable(_ option: CInt, _ level: CInt, _ descriptor: CInt) {
    var on: CInt = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Opens a socket for each of several addresses, all with one port.
  ///
  /// - Parameters:
  ///   - addresses: At least one address.
  ///   - port: The port; 0 for any that is free at all addresses.
  static func open(
    at addresses: [String], port: Int
  ) throws(WebServerError) -> [ListeningSocket] {
    var attempts = 0
    while true {
      var sockets: [ListeningSocket] = []
      do throws(WebServerError) {
        for address in addresses {
          let port = sockets.first?.address.port ?? port
          try sockets.append(ListeningSocket(address: address, port: port))
        }
        return sockets
      } catch {
        for socket in sockets { close(socket.descriptor) }
        // The port that is free at one address may be in use at another.
        attempts += 1
        guard case .cannotListen(_, _, EADDRINUSE) = error, port == 0, attempts < 20 else {
          throw error
        }
      }
    }
  }
}
