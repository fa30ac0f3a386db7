import FoundationEssentials
import Glibc
import NodeDirectory
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// The server's end of a host's control socket: a thread that answers the host's messages in order.
///
/// The host is not trusted: invalid messages can only end this session.
final class HostSession: @unchecked Sendable {
  private let socket: PacketSocket
  private let server: NodeServer
  /// The process at the other end.
  let process: Int32
  private let lastReceived: Atomic<Int64>
  private let holdsPort = Atomic(false)
  // The following properties are used only by the session's thread.
  private var host: Peer?
  private var portSession: PortSession?
  /// The unit of a port that the host has described without opening it.
  private var described: UnitRequestHandler?
  private var badMessages = 0
  /// The latency and tail of the unit that were last sent to the host.
  private var timing = UnitTiming()
  private let commands = TransportCommandRequests()

  /// The number of bad messages after which the host is disconnected.
  private static let badMessageLimit = 16
  /// The maximum length in bytes of a host's icon path and URL.
  private static let maximumPathLength = 1024
  /// The interval in milliseconds at which the session checks whether the host still renders.
  private static let pollInterval = 250

  init(_ socket: PacketSocket, _ server: NodeServer) {
    self.socket = socket
    self.server = server
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
      if portSession?.parkIfIdle() == true { send(0, .parked(reason: .notRendered)) }
      sendTiming()
      if host == nil, longestWait(since: begin) == 0 {
        send(0, .refused(NodeServer.helloTimeout))
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

  /// Ends the session without waiting until the host has received the message. Threads: any.
  func close(sending message: NodeMessage? = nil) {
    if let message { send(0, message, waits: false) }
    socket.shutDown()
  }

  /// Sends a command to the host and waits for its response. Threads: any except the session's own.
  func command(_ command: RemoteCommand) -> RemoteAnswer {
    let command = command.jsonSafe
    return commands.request(command) { send(0, .command(command, number: $0), waits: false) }
  }

  /// The commands that the host supports. Threads: any.
  var supportedCommands: [RemoteCommand.Kind] { commands.supported }

  /// Asks the host to show its window. Threads: any.
  func show() { send(0, .show, waits: false) }

  /// Whether the host has disconnected. Threads: any.
  var isOver: Bool { socket.isOver }

  private var isOpen: Bool { badMessages < Self.badMessageLimit }

  private func handle(_ received: ReceivedPacket) {
    guard received.isWhole else {
      return refuse(0, "a message has at most \(PacketSocket.limit) bytes, but this one has more")
    }
    let packet: Packet<HostMessage>
    do {
      packet = try JSONDecoder().decode(Packet<HostMessage>.self, from: Data(received.bytes))
    } catch {
      return refuse(0, "the message is malformed or unknown; see PROTOCOL.md for valid messages")
    }
    do throws(ProtocolError) {
      if let answer = try answer(to: packet.message, received.attached) { send(packet.id, answer) }
    } catch {
      if error.code == .badMessage { badMessages += 1 }
      if error.code == .versionMismatch { badMessages = Self.badMessageLimit }
      send(packet.id, .refused(error.shortened))
    }
  }

  private func refuse(_ id: UInt32, _ reason: String) {
    badMessages += 1
    send(id, .refused(ProtocolError(.badMessage, reason)))
  }

  /// Sends a packet. Disconnects a host that does not read its packets.
  private func send(_ id: UInt32, _ message: NodeMessage, waits: Bool = true) {
    do {
      let data = try JSONEncoder().encode(Packet(id: id, message))
      try socket.send([UInt8](data), waits: waits)
    } catch {
      socket.shutDown()
    }
  }

  private func answer(
    to message: HostMessage, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> NodeMessage? {
    switch message {
    case .hello(let version, let host): return try accept(version, host)
    case .report(let first): return report(from: first)
    case .open(let component): return try open(component)
    case .describe(let component): return try describe(component)
    case .initialize(let request): return try initialize(request, attached)
    case .uninitialize:
      portSession?.release()
      return .uninitialized
    case .park(let reason):
      portSession?.park(reason)
      return nil
    case .siblings(let names):
      portSession?.port.setPeerNodes(names)
      return nil
    case .takes(let commands):
      self.commands.setSupported(commands)
      return nil
    case .commanded(let number, let isDone):
      commands.complete(number, isDone: isDone)
      return nil
    case .command(let command, let component):
      try server.command(command, hostOf: component)
      return .done
    case .show:
      if let portSession { server.log(.shown(portSession.port)) }
      return nil
    default: return try answerOfUnit(to: message)
    }
  }

  private func answerOfUnit(to message: HostMessage) throws(ProtocolError) -> NodeMessage {
    if let portSession, let unit = portSession.unit {
      return try answer(
        to: message, UnitRequestHandler(unit: unit, port: portSession.port.description))
    }
    if let described, let answer = described.answerQuery(message) { return answer }
    throw ProtocolError(.badMessage, "initialize the port before sending requests to its unit")
  }

  private func answer(
    to message: HostMessage, _ handler: UnitRequestHandler
  ) throws(ProtocolError) -> NodeMessage {
    if let answer = handler.answerQuery(message) { return answer }
    switch message {
    case .set(let values): try handler.set(values)
    case .usePreset(let number): try handler.usePreset(number)
    case .save: return try handler.save()
    case .restore(let state): try handler.restore(state)
    default: throw ProtocolError(.badMessage, "the message is not a request to a unit")
    }
    sendTiming()
    return .done
  }

  /// Reports the unit's latency and tail to the host if they have changed.
  private func sendTiming() {
    guard let unit = portSession?.unit else { return }
    let new = UnitTiming(unit)
    if new == timing { return }
    timing = new
    send(0, .changed(latency: new.latency, tail: new.tail))
  }

  private func accept(_ version: Int, _ host: Peer) throws(ProtocolError) -> NodeMessage {
    guard version == protocolVersion else {
      throw ProtocolError(
        .versionMismatch,
        "the host uses version \(version) of the protocol, but this node uses \(protocolVersion): "
          + "use the same version of Portative on both sides")
    }
    try check(host)
    // The process ID from the kernel is reliable; the one from the host is not.
    self.host = host
    self.host?.processID = socket.peer?.process ?? host.processID
    return .welcome(protocol: protocolVersion, node: server.peer)
  }

  /// Checks the lengths of the host's properties, which are sent to other hosts in packets.
  private func check(_ host: Peer) throws(ProtocolError) {
    for (field, text) in [("name", host.name), ("icon", host.icon), ("url", host.url)] {
      let limit = field == "name" ? PortDescription.maximumNameLength : Self.maximumPathLength
      guard let count = text?.utf8.count, count > limit else { continue }
      throw ProtocolError(
        .badMessage, "a host's \(field) has at most \(limit) bytes, but this one has \(count)")
    }
  }

  /// Returns the report without the first `first` ports, and with as many others as fit into a packet.
  private func report(from first: Int) -> NodeMessage {
    var report = server.report
    let count = report.ports.count
    let others = report.ports.dropFirst(max(0, first))
    var size = 0
    report.ports = others.prefix { port in
      size += (try? JSONEncoder().encode(port).count) ?? 0
      return size < PacketSocket.limit * 3 / 4
    }
    return .report(report, count: count)
  }

  private func open(_ component: ComponentDescription) throws(ProtocolError) -> NodeMessage {
    guard let host else { throw ProtocolError(.badMessage, "send hello before opening a port") }
    if let portSession {
      throw ProtocolError(
        .badMessage,
        "this connection has \(portSession.port.description.name): open another for a second port")
    }
    let port = try server.port(component)
    // Set before the port is acquired, because connections without a port may be evicted.
    holdsPort.store(true, ordering: .relaxed)
    do throws(ProtocolError) {
      portSession = try PortSession(acquiring: port, for: self, host: host, of: server)
    } catch {
      holdsPort.store(false, ordering: .relaxed)
      throw error
    }
    return .opened(port: port.description)
  }

  /// Describes a port: its current unit if the port is initialized, otherwise a new unit in its initial state.
  private func describe(_ component: ComponentDescription) throws(ProtocolError) -> NodeMessage {
    if host == nil { throw ProtocolError(.badMessage, "send hello before describing a port") }
    let port = try server.port(component)
    let format = Format(inputChannels: component.type.takesAudio ? Format().channels : 0)
    let unit: any RenderUnit
    if let current = port.unit {
      unit = current
    } else {
      unit = try PortSession.makeUnit(
        of: port, format, for: RenderContext(isOffline: true), isOver: { self.isOver })
    }
    let handler = UnitRequestHandler(unit: unit, port: port.description)
    described = handler
    return .described(
      port: port.description, latency: unit.latency, tail: unit.tail,
      parameters: handler.tree.parameters.count)
  }

  private func initialize(
    _ request: Initialization, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> NodeMessage {
    guard let portSession else {
      throw ProtocolError(.badMessage, "open a port before initializing it")
    }
    try portSession.initialize(request, attached, isOver: { self.isOver })
    guard let unit = portSession.unit else { throw ProtocolError(.unitFailed, "there is no unit") }
    timing = UnitTiming(unit)
    return .initialized(
      latency: timing.latency, tail: timing.tail,
      parameters: unit.parameters?.tree.parameters.count ?? 0)
  }
}

private struct UnitTiming: Equatable {
  var latency = 0
  var tail: Int?

  init() {}

  init(_ unit: any RenderUnit) {
    latency = unit.latency
    tail = unit.tail
  }
}
