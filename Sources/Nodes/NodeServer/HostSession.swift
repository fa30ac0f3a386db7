import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore
import Synchronization

/// The server's end of a host's control socket: a thread that answers the host's messages in order.
///
/// The host is not trusted: invalid messages can only end this session.
final class HostSession: @unchecked Sendable {
  private let socket: PacketSocket
  private let server: NodeServer
  /// Another one for each host of this process.
  let number: Int
  private static let lastNumber = Atomic(0)
  /// The process at the other end.
  let process: Int32
  private let lastReceived: Atomic<Int64>
  private let holdsPort = Atomic(false)
  // The following properties are used only by the session's thread.
  private var host: Peer?
  private var portSession: PortSession?
  /// A port that the host has described without opening it, its unit, and the number of the host whose unit that is, if it
  /// was named.
  private var described: (port: PublishedPort, unit: any RenderUnit, host: Int?)?
  private var stateTransfer = StateTransfer()
  /// Answers the requests of the server's extension; `nil` until the first of them arrives.
  private var further: (any RequestHandler)?
  private var badMessages = 0
  /// The latency and tail of the unit that were last sent to the host.
  private var timing = UnitTiming()
  private let commands = TransportCommandRequests()

  /// The number of bad messages after which the host is disconnected.
  private static let badMessageLimit = 16
  /// The interval in milliseconds at which the session checks whether the host still renders.
  private static let pollInterval = 250

  init(_ socket: PacketSocket, _ server: NodeServer) {
    self.socket = socket
    self.server = server
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    lastReceived = Atomic(server.now())
    process = socket.peer?.process ?? 0
  }

  /// The time of the last packet from the host, in nanoseconds of ``MonotonicClock``. Threads: any.
  var lastReceiveTime: Int64 { lastReceived.load(ordering: .relaxed) }

  /// Whether the host has a port. Threads: any.
  var hasPort: Bool { holdsPort.load(ordering: .relaxed) }

  /// Answers messages until the host disconnects, then releases its port.
  func run() {
    let begin = server.now()
    while isOpen {
      let isReadable = socket.waitForPacket(milliseconds: longestWait(since: begin))
      if portSession?.parkIfIdle() == true { notify(PortParked(reason: .notRendered)) }
      sendTiming()
      if host == nil, longestWait(since: begin) == 0 {
        refuse(NodeServer.helloTimeout)
        break
      }
      if !isReadable { continue }
      guard let packet = try? socket.receive() else { break }
      lastReceived.store(server.now(), ordering: .relaxed)
      handle(packet)
    }
    portSession?.close()
    socket.shutDown()
  }

  /// Returns the longest wait for a packet in milliseconds; `nil` for no limit.
  private func longestWait(since begin: Int64) -> Int? {
    if portSession?.unit != nil { return Self.pollInterval }
    if host != nil { return nil }
    let passed = Int((server.now() - begin) / 1_000_000)
    return max(0, Int(NodeServer.helloLimit * 1000) - passed)
  }

  /// Ends the session because the port or the node ends. Threads: any.
  func close() {
    notify(PortRemoved(), waits: false)
    socket.shutDown()
  }

  /// Ends the session without waiting until the host has received the reason. Threads: any.
  func close(_ reason: ProtocolError) {
    refuse(reason, waits: false)
    socket.shutDown()
  }

  /// Sends a command to the host and waits for its response. Threads: any except the session's own.
  func command(_ command: RemoteCommand) -> RemoteAnswer {
    let command = command.jsonSafe
    return commands.request(command) { id in
      send(try? MessageEncoder.request(TransportCommand(command), id: id), waits: false)
    }
  }

  /// The commands that the host supports. Threads: any.
  var supportedCommands: [RemoteCommand.Kind] { commands.supported }

  /// Asks the host to show its window. Threads: any.
  func show() { notify(ShowWindow(), waits: false) }

  /// Asks the host to open a page. Threads: any.
  func show(page link: String) { notify(ShowPage(link: link), waits: false) }

  /// Whether the host has disconnected. Threads: any.
  var isOver: Bool { socket.isOver }

  private var isOpen: Bool { badMessages < Self.badMessageLimit }

  private func handle(_ received: ReceivedPacket) {
    do throws(ReceivedMessage.Malformed) {
      handle(try received.message, received.attached)
    } catch {
      refuse(error.error, id: error.id)
    }
  }

  private func handle(_ message: ReceivedMessage, _ attached: OwnedDescriptor?) {
    do throws(ProtocolError) {
      switch message.kind {
      case .request(let id, let method):
        do throws(ProtocolError) {
          let response = try response(to: method, message, attached)
          send(try? MessageEncoder.response(response, id: id))
          if response is Done { sendTiming() }
        } catch {
          refuse(error, id: id)
        }
      case .notification(let method): try receive(method, message)
      case .response(let id):
        let isDone = try message.result(TransportCommand.Response.self).isDone
        commands.complete(id, isDone: isDone)
      case .error(let id?, _): commands.complete(id, isDone: false)
      case .error(nil, _): break
      }
    } catch {
      refuse(error)
    }
  }

  /// Sends an error. Ends the session after too many bad messages, and if there is no common version.
  private func refuse(_ error: ProtocolError, id: UInt32? = nil, waits: Bool = true) {
    switch error.code {
    case .badMessage, .badSequence, .unknownMethod: badMessages += 1
    case .versionMismatch: badMessages = Self.badMessageLimit
    default: break
    }
    send(try? MessageEncoder.error(error, id: id), waits: waits)
  }

  private func notify(_ notification: some Notification, waits: Bool = true) {
    send(try? MessageEncoder.notification(notification), waits: waits)
  }

  /// Sends a packet. Disconnects a host that does not read its packets.
  ///
  /// - Parameter packet: `nil` if it could not be encoded.
  private func send(_ packet: [UInt8]?, waits: Bool = true) {
    guard let packet, (try? socket.send(packet, waits: waits)) != nil else {
      return socket.shutDown()
    }
  }

  /// Tells the host that others have changed the settings of its unit. Threads: any.
  func notifyOfSettings() { notify(SettingsChanged(), waits: false) }

  /// Reports the unit's latency and tail to the host if they have changed.
  private func sendTiming() {
    guard let unit = portSession?.unit else { return }
    let new = UnitTiming(unit)
    if new == timing { return }
    timing = new
    notify(TimingChanged(latency: new.latency, tail: new.tail))
  }

}

extension HostSession {
  /// Chooses the version of the protocol, and identifies the host.
  private func accept(_ hello: Hello) throws(ProtocolError) -> Hello.Response {
    if host != nil {
      throw ProtocolError(
        .badSequence, "this connection has already been opened with hello: send it once")
    }
    guard let version = hello.protocol.common(with: .supported) else {
      throw ProtocolError(
        .versionMismatch,
        "the host supports versions \(hello.protocol.minimum) to \(hello.protocol.maximum) of the "
          + "protocol, but this node \(VersionRange.supported.minimum) to "
          + "\(VersionRange.supported.maximum): use the same version of Portative on both sides")
    }
    // Its properties are sent to other hosts.
    try MessageLimits.check(hello.peer, at: "params.peer")
    var host = hello.peer
    // The process ID from the kernel is reliable; the one from the host is not.
    host.processID = socket.peer?.process ?? host.processID
    self.host = host
    return Hello.Response(
      protocol: version, features: server.features.filter(hello.features.contains),
      peer: server.peer)
  }
}

/// The host's port: opened, described, initialized, and its unit.
extension HostSession {
  private func open(_ request: OpenPort) throws(ProtocolError) -> OpenPort.Response {
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

  /// Describes a port: the unit of the named host, its current unit if there is one, otherwise a new unit with the settings of
  /// players.
  private func describe(_ request: DescribePort) throws(ProtocolError) -> DescribePort.Response {
    let component = request.component
    if host == nil { throw ProtocolError(.badSequence, "send hello before describing a port") }
    let port = try server.port(component)
    let unit: any RenderUnit
    if let host = request.host {
      unit = try Self.unit(of: port, host)
    } else if let current = port.unit {
      unit = current
    } else {
      unit = try playerUnit(of: port)
    }
    described = (port, unit, request.host)
    return DescribePort.Response(port: port.description, unit: Self.properties(of: unit))
  }

  private static func unit(
    of port: PublishedPort, _ host: Int
  ) throws(ProtocolError) -> any RenderUnit {
    if let unit = port.unit(ofHost: host) { return unit }
    throw ProtocolError(
      .badSequence, "no host \(host) plays \(port.description.name): open its window again",
      field: "params.host")
  }

  private func initialize(
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

  private func uninitialize(_: UninitializePort) -> Done {
    portSession?.release()
    return Done()
  }

  /// Returns the handler of requests to the unit.
  ///
  /// - Parameter orDescribed: Whether the unit may be the one of the last ``DescribePort``.
  private func unit(orDescribed: Bool = false) throws(ProtocolError) -> UnitRequestHandler {
    if let portSession, let unit = portSession.unit {
      return UnitRequestHandler(unit: unit, port: portSession.port.description)
    }
    if orDescribed, let described {
      let unit: any RenderUnit
      if let host = described.host {
        // The host may have initialized the port again since.
        unit = try Self.unit(of: described.port, host)
      } else {
        // A keyboard or a host may play the port since. The other unit, which may be a process, is then released.
        unit = described.port.unit ?? described.unit
        self.described?.unit = unit
      }
      return UnitRequestHandler(unit: unit, port: described.port.description)
    }
    throw ProtocolError(.badSequence, "initialize the port before sending requests to its unit")
  }

  /// Returns a function that changes the settings of the host's unit, or those of the described port.
  private func set<R: Request>(
    _ function: @escaping (UnitRequestHandler) -> (R) throws(ProtocolError) -> Done
  ) throws(ProtocolError) -> (R) throws(ProtocolError) -> Done {
    if portSession?.unit != nil { return try function(unit()) }
    guard let (port, _, host) = described else {
      throw ProtocolError(
        .badSequence, "initialize or describe a port before changing its settings")
    }
    return { [self] request throws(ProtocolError) in
      let unit =
        if let host { try Self.unit(of: port, host) } else { try playerUnit(of: port) }
      let handler = UnitRequestHandler(unit: unit, port: port.description)
      let done = try function(handler)(request)
      described = (port, unit, host)
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

/// The function that answers each request and notification of a host.
extension HostSession {
  private func response(
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
    case GetParameters.method: try respond(message, unit(orDescribed: true).parameters)
    case GetValues.method: try respond(message, unit(orDescribed: true).values)
    case GetPresets.method: try respond(message, unit(orDescribed: true).presets)
    case GetFiles.method: try respond(message, unit(orDescribed: true).files)
    case SetParameters.method: try respond(message, set { $0.setParameters })
    case UsePreset.method: try respond(message, set { $0.usePreset })
    case SetFile.method: try respond(message, set { $0.setFile })
    case SaveState.method: try respond(message, unit().saveState)
    case RestoreState.method: try respond(message, unit().restoreState)
    case SaveStatePart.method:
      try respond(message) { (request) throws(ProtocolError) in
        try stateTransfer.part(request, of: unit())
      }
    case LoadStatePart.method:
      try respond(message) { (request) throws(ProtocolError) in
        try stateTransfer.restore(request, to: unit())
      }
    default: try furtherResponse(to: method, message)
    }
  }

  /// Returns the response of the server's extension.
  private func furtherResponse(
    to method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) -> any Encodable & Sendable {
    further = further ?? server.requestExtension?.makeHandler(for: server)
    guard let further else { throw .unknownMethod(method) }
    return try further.response(
      to: ReceivedRequest(method, message, hasPort: portSession != nil) { self.isOver })
  }

  /// Decodes a request and calls the function that answers it.
  private func respond<R: Request>(
    _ message: ReceivedMessage, _ answer: (R) throws(ProtocolError) -> R.Response
  ) throws(ProtocolError) -> R.Response {
    try answer(message.parameters(R.self))
  }

  /// Handles a notification. Ignores unknown ones, which later versions may have.
  private func receive(
    _ method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) {
    switch method {
    case ParkPort.method: portSession?.park(try message.parameters(ParkPort.self).reason)
    case PeerNodeNames.method:
      portSession?.port.setPeerNodes(
        try message.parameters(PeerNodeNames.self).names, of: self)
    case SupportedCommands.method:
      commands.setSupported(try message.parameters(SupportedCommands.self).commands)
    case ShowWindow.method:
      if let portSession { server.log(.shown(portSession.port, host: number)) }
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
    if request.component == nil { server.requestExtension?.silence() }
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
