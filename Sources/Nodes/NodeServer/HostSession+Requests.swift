import NodeDirectory
import NodeProtocol

/// The function that answers each request and notification of a host.
extension HostSession {
  func response(
    to method: String, _ message: ReceivedMessage, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> any Encodable & Sendable {
    switch method {
    case Hello.method: try respond(message, accept)
    case GetReport.method: try respond(message, report)
    case OpenPort.method: try respond(message, open)
    case DescribePort.method: try respond(message, describe)
    case InitializePort.method:
      try initialize(message.parameters(InitializePort.self), attached)
    case UninitializePort.method: try respond(message, uninitialize)
    case ForwardCommand.method: try respond(message, forward)
    case Panic.method: try respond(message, panic)
    case GetScenes.method: try respond(message, scenes)
    case ChooseScene.method: try respond(message, chooseScene)
    case SaveScene.method: try respond(message, saveScene)
    case GetZones.method: try respond(message, zones)
    case SetZones.method: try respond(message, setZones)
    case GetTake.method: try respond(message, take)
    case LearnControl.method, GetControls.method, ClearControls.method:
      try ControlRequestHandler(server, isBusy: portSession != nil) { self.isOver }
        .response(to: method, message)
    case GetParameters.method: try respond(message, unit(orDescribed: true).parameters)
    case GetValues.method: try respond(message, unit(orDescribed: true).values)
    case GetPresets.method: try respond(message, unit(orDescribed: true).presets)
    case GetFiles.method: try respond(message, unit(orDescribed: true).files)
    case SetParameters.method: try respond(message, set { $0.setParameters })
    case UsePreset.method: try respond(message, set { $0.usePreset })
    case SetFile.method: try respond(message, set { $0.setFile })
    case SaveState.method: try respond(message, unit().saveState)
    case RestoreState.method: try respond(message, unit().restoreState)
    default: throw .unknownMethod(method)
    }
  }

  /// Decodes a request and calls the function that answers it.
  private func respond<R: Request>(
    _ message: ReceivedMessage, _ answer: (R) throws(ProtocolError) -> R.Response
  ) throws(ProtocolError) -> R.Response {
    try answer(message.parameters(R.self))
  }

  /// Handles a notification. Ignores unknown ones, which later versions may have.
  func receive(
    _ method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) {
    switch method {
    case ParkPort.method: portSession?.park(try message.parameters(ParkPort.self).reason)
    case PeerNodeNames.method:
      portSession?.port.setPeerNodes(
        try message.parameters(PeerNodeNames.self).names, of: self)
    case SupportedCommands.method:
      commands.setSupported(try message.parameters(SupportedCommands.self).commands)
    case ShowWindow.method: if let portSession { server.log(.shown(portSession.port)) }
    default: break
    }
  }

  /// Returns the report without the first `offset` ports, and with as many others as fit into a packet.
  private func report(_ request: GetReport) -> GetReport.Response {
    var report = server.report
    let total = report.ports.count
    report.ports = report.ports.packetPart(from: request.offset)
    return GetReport.Response(report, total: total)
  }

  private func panic(_ request: Panic) throws(ProtocolError) -> Done {
    let ports =
      try request.component.map { component throws(ProtocolError) in
        [try server.port(component)]
      } ?? server.ports
    // A port that cannot be silenced does not prevent that of others.
    let problems = ports.flatMap { port in
      port.silence(for: self).map { "\(port.description.name) cannot be silenced: \($0)" }
    }
    if !problems.isEmpty {
      throw ProtocolError(.unitFailed, problems.joined(separator: "; "))
    }
    return Done()
  }

  private func forward(_ request: ForwardCommand) throws(ProtocolError) -> Done {
    try server.command(request.command, hostOf: request.component)
    return Done()
  }
}
