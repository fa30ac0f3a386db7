package import NodeProtocol

/// Answers requests about the controls of keyboards. Threads: any.
package protocol ControlRequests: Sendable {
  /// Waits until a player moves a control, and assigns it.
  ///
  /// - Parameter isOver: Returns whether the program that asks has disconnected. Nothing is learned then.
  func learn(
    _ request: LearnControl, isOver: () -> Bool
  ) throws(ProtocolError) -> LearnControl.Response

  /// All controls.
  func reports() -> [ControlReport]

  /// Forgets learned controls.
  func clear(_ request: ClearControls) throws(ProtocolError) -> ClearControls.Response
}

/// Checks a host's requests about controls, and passes them on.
struct ControlRequestHandler {
  private let server: NodeServer
  /// Whether the connection has a port, whose host must not wait.
  private let isBusy: Bool
  private let isOver: () -> Bool

  init(_ server: NodeServer, isBusy: Bool, isOver: @escaping () -> Bool) {
    self.server = server
    self.isBusy = isBusy
    self.isOver = isOver
  }

  func response(
    to method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) -> any Encodable & Sendable {
    guard let controls = server.controls else { throw .unknownMethod(method) }
    switch method {
    case LearnControl.method: return try learn(message.parameters(LearnControl.self), controls)
    case GetControls.method:
      let (all, offset) = (controls.reports(), try message.parameters(GetControls.self).offset)
      return GetControls.Response(items: all.packetPart(from: offset), total: all.count)
    case ClearControls.method: return try controls.clear(message.parameters(ClearControls.self))
    default: throw .unknownMethod(method)
    }
  }

  private func learn(
    _ request: LearnControl, _ controls: any ControlRequests
  ) throws(ProtocolError) -> LearnControl.Response {
    if isBusy {
      throw ProtocolError(.badSequence, "learn controls on a connection without a port")
    }
    guard request.seconds > 0, request.seconds <= LearnControl.longestWait else {
      throw ProtocolError(
        .badMessage,
        "the wait must be above 0 and at most \(Int(LearnControl.longestWait)) s, but is "
          + "\(request.seconds)", field: "params.seconds")
    }
    return try controls.learn(request, isOver: isOver)
  }
}
