import LocalSystem

/// The reason why a ``WebServer`` cannot be opened.
package enum WebServerError: Error, Equatable, CustomStringConvertible {
  /// libwebsockets is not installed.
  case noLibrary
  case cannotListen(address: String, port: Int, code: CInt)
  case noThread(code: CInt)

  package var description: String {
    switch self {
    case .noLibrary:
      "libwebsockets is not installed, or has another version than that with which portative was built: "
        + "sudo apt install libwebsockets17, or the version of libwebsockets-dev"
    case .cannotListen(let address, let port, let code):
      "cannot listen at \(address), port \(port): \(errnoDescription(code)); use another port or address"
    case .noThread(let code): "cannot start the thread of the web server: \(errnoDescription(code))"
    }
  }
}
