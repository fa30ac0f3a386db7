import Glibc
import LocalSystem

/// The reason why a ``WebServer`` cannot be opened.
package enum WebServerError: Error, Equatable, CustomStringConvertible {
  /// libwebsockets is not installed.
  case noLibrary
  case cannotListen(address: String, port: Int, code: CInt)
  /// The kernel names another address for the socket than that which was asked for.
  case listensElsewhere(address: String, port: Int, found: String)
  case noThread(code: CInt)

  package var description: String {
    switch self {
    case .noLibrary:
      "libwebsockets is not installed, or has another version than that with which portative was built: "
        + "sudo apt install libwebsockets17, or the version of libwebsockets-dev"
    case .cannotListen(let address, _, EADDRNOTAVAIL):
      "cannot listen at \(address), which is not an address of this machine: use one of those that 'ip address' lists"
    case .cannotListen(let address, _, EAFNOSUPPORT):
      "cannot listen at \(address): it is no address of IPv4 or IPv6, or the kernel has no such protocol; use another"
    case .cannotListen(let address, let port, let code):
      "cannot listen at \(address), \(port == 0 ? "at any port" : "port \(port)"): \(errnoDescription(code)); "
        + "use another port or address"
    case .listensElsewhere(let address, let port, let found):
      "asked to listen at \(address), port \(port), the kernel listens at \(found): nothing was opened; "
        + "use another address"
    case .noThread(let code): "cannot start the thread of the web server: \(errnoDescription(code))"
    }
  }
}
