package import NodeProtocol
package import RenderCore

/// Requests that a program answers on its node's control socket besides those of this library.
///
/// Threads: any.
package protocol RequestExtension: Sendable {
  /// The features of the protocol to which the requests belong. Hosts receive them with the answer to hello.
  var features: [String] { get }

  /// The song that the program plays beside the keyboards; `nil`: none is loaded.
  var playedSong: NodeReport.Song? { get }

  /// Ends what the program plays besides the ports, because a host has asked for silence.
  func silence()

  /// Returns what answers the requests of a connection.
  func makeHandler(for server: NodeServer) -> any RequestHandler

  /// Returns what makes a unit other than the port's own, which a host requests by its number.
  ///
  /// - Parameter number: A number that an answer has named.
  /// - Returns: `nil` if there is no such unit any more.
  func source(ofUnit number: Int, of port: PublishedPort) -> (any RenderUnitSource)?
}

/// Answers the requests of one connection. Its functions are called on one thread.
package protocol RequestHandler: AnyObject {
  /// Returns the result of a request.
  ///
  /// - Throws: ``ProtocolError``, which is sent to the host; `unknownMethod` if this is none of the handler's requests.
  func response(to request: ReceivedRequest) throws(ProtocolError) -> any Encodable & Sendable
}

/// A request that a host has sent.
package struct ReceivedRequest {
  package let method: String
  /// Whether the connection has a port, whose host must not wait long for an answer.
  package let hasPort: Bool
  /// Returns whether the host has disconnected, so that nobody waits for the answer. Threads: any.
  package let isOver: () -> Bool
  private let message: ReceivedMessage

  init(_ method: String, _ message: ReceivedMessage, hasPort: Bool, isOver: @escaping () -> Bool) {
    self.method = method
    self.message = message
    self.hasPort = hasPort
    self.isOver = isOver
  }

  /// Decodes the request and calls the function that answers it.
  ///
  /// - Throws: ``ProtocolError``: `badMessage` if the parameters are not those of the request.
  package func answer<R: Request>(
    by function: (R) throws(ProtocolError) -> R.Response
  ) throws(ProtocolError) -> R.Response {
    try function(message.parameters(R.self))
  }
}

extension RequestExtension {
  package var playedSong: NodeReport.Song? { nil }
  package func silence() {}
}
