import Glibc

/// An address of IPv4 or IPv6 with a port.
struct SocketAddress: CustomStringConvertible {
  private var storage = sockaddr_storage()

  /// Parses an address. No name is looked up.
  ///
  /// - Parameter text: The address; one that is link-local has an interface: `fe80::1%eth0`.
  init?(_ text: String, port: Int) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var result: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(text, "\(port)", &hints, &result) == 0, let result else { return nil }
    defer { freeaddrinfo(result) }
    // inet_aton() accepts `127.1` and `0x7f000001` too, which no browser shows.
    guard let address = result.pointee.ai_addr else { return nil }
    self.init(copying: address)
    if family == AF_INET, host != text { return nil }
  }

  /// - Parameter address: An address of IPv4 or IPv6. Of others, only the family is copied.
  init(copying address: UnsafePointer<sockaddr>) {
    let size =
      switch CInt(address.pointee.sa_family) {
      case AF_INET: MemoryLayout<sockaddr_in>.size
      case AF_INET6: MemoryLayout<sockaddr_in6>.size
      default: MemoryLayout<sa_family_t>.size
      }
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
    }
  }

  /// Returns the address to which a socket is bound.
  init?(boundTo descriptor: CInt) {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    if result != 0 { return nil }
  }

  /// Calls `body` with the address as C has it, and its size.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    return withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }

  var family: CInt { CInt(storage.ss_family) }

  var port: Int {
    switch family {
    case AF_INET: Int(UInt16(bigEndian: read(sockaddr_in.self).sin_port))
    case AF_INET6: Int(UInt16(bigEndian: read(sockaddr_in6.self).sin6_port))
    default: 0
    }
  }

  /// The 4 or 16 bytes of the address; none of other families.
  var bytes: [UInt8] {
    switch family {
    case AF_INET: withUnsafeBytes(of: read(sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: withUnsafeBytes(of: read(sockaddr_in6.self).sin6_addr) { Array($0) }
    default: []
    }
  }

  /// The address as text, without an interface.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "unknown" }
    return text.withUnsafeBufferPointer { text in
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Whether only this machine reaches the address.
  var isLoopback: Bool {
    family == AF_INET ? bytes.first == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether the address stands for all of its family.
  var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  /// `127.0.0.1:80` or `[::1]:80`.
  var description: String { family == AF_INET ? "\(host):\(port)" : "[\(host)]:\(port)" }

  private func read<Address>(_ type: Address.Type) -> Address {
    withUnsafeBytes(of: storage) { $0.loadUnaligned(as: type) }
  }
}

/// The machine from which a client of a ``WebServer`` connects.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// Its address.
  package let description: String
  /// The bits of the address that tell peers apart: of IPv6's the first 64, because a network has all others.
  private let prefix: [UInt8]

  init(_ address: SocketAddress) {
    description = address.host
    prefix = Array(address.bytes.prefix(8))
  }

  package static func == (left: Peer, right: Peer) -> Bool { left.prefix == right.prefix }

  package func hash(into hasher: inout Hasher) { hasher.combine(prefix) }
}
