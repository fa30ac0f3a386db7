/// Decides from the `Host` and `Origin` headers whether a request was meant for this server.
///
/// A page of another site can make a browser connect to any address, also by giving its own name a new address (DNS
/// rebinding). The headers then have the name of that site. So the name must be one that no other site can have: of the
/// loopback interface, an address, or this machine.
package struct HostPolicy: Equatable, Sendable {
  /// The port at which the server listens.
  package let port: Int
  /// Whether the server listens at an address that other machines reach.
  let isPublic: Bool
  /// The name of this machine.
  let machine: String

  private static let loopbackNames: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  package init(port: Int, isPublic: Bool, machine: String) {
    (self.port, self.isPublic, self.machine) = (port, isPublic, machine.lowercased())
  }

  /// - Parameter host: The value of a `Host` header; `nil` without one.
  package func admits(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    let (name, port) = Self.split(host)
    guard port == "\(self.port)" || port == nil && self.port == 80 else { return false }
    if Self.loopbackNames.contains(name) { return true }
    guard isPublic else { return false }
    return Self.isAddress(name) || [machine, "\(machine).local"].contains(name)
  }

  /// - Parameters:
  ///   - origin: The value of an `Origin` header.
  ///   - hasOrigin: Whether there is one. Programs other than browsers send none.
  package func admits(origin: String?, hasOrigin: Bool) -> Bool {
    if !hasOrigin { return true }
    guard let origin, origin.hasPrefix("http://") else { return false }
    return admits(host: String(origin.dropFirst("http://".count)))
  }

  /// Splits `name:port`; an IPv6 address is in brackets.
  private static func split(_ host: String) -> (name: String, port: String?) {
    let begin = host.lastIndex(of: "]") ?? host.startIndex
    guard let colon = host[begin...].firstIndex(of: ":") else { return (host, nil) }
    return (String(host[..<colon]), String(host[host.index(after: colon)...]))
  }

  /// Whether a name is an address, which cannot be rebound.
  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { 48...57 ~= $0 }
          && UInt8(part) != nil
      }
  }
}
