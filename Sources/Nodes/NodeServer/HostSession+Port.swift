import LiveMIDI
import NodeDirectory
import NodeProtocol
import RenderCore
import Synchronization

/// The host's port: opened, described, initialized, and its unit.
extension HostSession {
  func open(_ request: OpenPort) throws(ProtocolError) -> OpenPort.Response {
    guard let host else { throw ProtocolError(.badSequence, "send hello before opening a port") }
    if let portSession {
      throw ProtocolError(
        .badSequence,
        "this connection has \(portSession.port.description.name): open another for a second port")
    }
    let port = try server.port(request.component)
    // Set before the port is acquired, because connections without a port may be evicted.
    holdsPort.store(true, ordering: .relaxed)
    do throws(ProtocolError) {
      portSession = try PortSession(acquiring: port, for: self, host: host, of: server)
    } catch {
      holdsPort.store(false, ordering: .relaxed)
      throw error
    }
    return OpenPort.Response(port: port.description)
  }

  /// Describes a port: its current unit if there is one, otherwise a new unit with the settings of players.
  func describe(_ request: DescribePort) throws(ProtocolError) -> DescribePort.Response {
    let component = request.component
    if host == nil { throw ProtocolError(.badSequence, "send hello before describing a port") }
    let port = try server.port(component)
    let unit: any RenderUnit
    if let current = port.unit {
      unit = current
    } else {
      unit = try playerUnit(of: port)
    }
    described = (port, unit)
    return DescribePort.Response(port: port.description, unit: Self.properties(of: unit))
  }

  func initialize(
    _ request: InitializePort, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> InitializePort.Response {
    guard let portSession else {
      throw ProtocolError(.badSequence, "open a port before initializing it")
    }
    try portSession.initialize(request, attached, isOver: { self.isOver })
    guard let unit = portSession.unit else { throw ProtocolError(.unitFailed, "there is no unit") }
    timing = UnitTiming(unit)
    return Self.properties(of: unit)
  }

  private static func properties(of unit: any RenderUnit) -> UnitProperties {
    UnitProperties(
      latency: unit.latency, tail: unit.tail,
      parameterCount: unit.parameters?.tree.parameters.count ?? 0)
  }

  func uninitialize(_: UninitializePort) -> Done {
    portSession?.release()
    return Done()
  }

  /// Returns the handler of requests to the unit.
  ///
  /// - Parameter orDescribed: Whether the unit may be the one of the last ``DescribePort``.
  func unit(orDescribed: Bool = false) throws(ProtocolError) -> UnitRequestHandler {
    if let portSession, let unit = portSession.unit {
      return UnitRequestHandler(unit: unit, port: portSession.port.description)
    }
    if orDescribed, let described {
      // A keyboard or a host may play the port since.
      let unit = described.port.unit ?? described.unit
      return UnitRequestHandler(unit: unit, port: described.port.description)
    }
    throw ProtocolError(.badSequence, "initialize the port before sending requests to its unit")
  }

  /// Returns a function that changes the settings of the host's unit, or those of the described port.
  func set<R: Request>(
    _ function: @escaping (UnitRequestHandler) -> (R) throws(ProtocolError) -> Done
  ) -> (R) throws(ProtocolError) -> Done {
    { [self] request throws(ProtocolError) in
      if portSession?.unit != nil { return try function(unit())(request) }
      guard let port = described?.port else {
        throw ProtocolError(
          .badSequence, "initialize or describe a port before changing its settings")
      }
      let unit = try playerUnit(of: port)
      let handler = UnitRequestHandler(unit: unit, port: port.description)
      let done = try function(handler)(request)
      described = (port, unit)
      port.settingsChanged(of: unit)
      return done
    }
  }

  /// Returns the unit that keyboards play, otherwise a new one with the settings of players. A host that renders offline
  /// keeps its own settings.
  private func playerUnit(of port: PublishedPort) throws(ProtocolError) -> any RenderUnit {
    if let played = port.input.playedUnit { return played }
    return try port.makePlayerUnit { self.isOver }
  }
}
