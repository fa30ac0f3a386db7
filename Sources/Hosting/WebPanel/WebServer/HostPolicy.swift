import Glibc

/// Decides from the `Host` and `Origin` headers whether a request was meant for this server.
///
/// A page of another site can make a browser connect to any address, also by giving its own name a new address (DNS
/// rebinding). The headers then have the name of that site. So the name must be one that no other site can have: an
/// address at which the server listens, or this machine's name if other machines reach it. `localhost` is not admitted:
/// it also is the address `::1`, where another program can listen, and pass on what a page sends.
package struct HostPolicy: Sendable {
  /// The port at which the server listens.
  private let port: Int
  /// The addresses at which it listens, as a browser writes them.
  private let addresses: Set<String>
  private let listensAtAll: (ipv4: Bool, ipv6: Bool)
  /// The names of this machine, if other machines reach the server.
  private let names: Set<String>

  /// - Parameters:
  ///   - port: The port.
  ///   - addresses: The addresses at which the server listens.
  ///   - machine: The name of this machine.
  init(port: Int, addresses: [SocketAddress], machine: String) {
    self.port = port
    self.addresses = Set(addresses.map { Self.name($0) })
    listensAtAll = (
      addresses.contains { $0.isAny && $0.family == AF_INET },
      addresses.contains { $0.isAny && $0.family == AF_INET6 }
    )
    let machine = machine.lowercased()
    names = addresses.allSatisfy(\.isLoopback) ? [] : [machine, "\(machine).local"]
  }

  /// - Parameter addresses: Addresses of IPv4 or IPv6; anything else is left out.
  package init(port: Int, addresses: [String], machine: String) {
    self.init(
      port: port, addresses: addresses.compactMap { SocketAddress($0, port: port) },
      machine: machine)
  }

  /// - Parameter host: The value of a `Host` header; `nil` without one.
  package func admits(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    let (name, port) = Self.split(host)
    guard port == "\(self.port)" || port == nil && self.port == 80 else { return false }
    if names.contains(name) { return true }
    // An address cannot be rebound.
    guard let address = Self.address(name) else { return false }
    if address.family == AF_INET ? listensAtAll.ipv4 : listensAtAll.ipv6 { return true }
    return addresses.contains(Self.name(address))
  }

  /// - Parameters:
  ///   - origin: The value of an `Origin` header.
  ///   - hasOrigin: Whether there is one. Programs other than browsers send none.
  ///   - host: The value of the `Host` header of the same request, which has been admitted.
  package func admits(origin: String?, hasOrigin: Bool, host: String) -> Bool {
    !hasOrigin || origin?.lowercased() == "http://\(host.lowercased())"
  }

  /// Splits `name:port`; an IPv6 address is in brackets.
  private static func split(_ host: String) -> (name: String, port: String?) {
    let begin = host.lastIndex(of: "]") ?? host.startIndex
    guard let colon = host[begin...].firstIndex(of: ":") else { return (host, nil) }
    return (String(host[..<colon]), String(host[host.index(after: colon)...]))
  }

  private static func name(_ address: SocketAddress) -> String {
    address.family == AF_INET ? address.host : "[\(address.host)]"
  }

  /// Returns the address that a name in a `Host` header is; `nil` if it is none.
  private static func address(_ name: String) -> SocketAddress? {
    if name.hasPrefix("["), name.hasSuffix("]") {
      let text = String(name.dropFirst().dropLast())
      return text.contains("%")
        ? nil
        : SocketAddress(text, port: 0).flatMap {
          $0.family == AF_INET6 ? $0 : nil
        }
    }
    return SocketAddress(name, port: 0).flatMap { $0.family == AF_INET ? $0 : nil }
  }
}
