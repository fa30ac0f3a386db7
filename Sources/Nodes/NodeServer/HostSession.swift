import FoundationEssentials
import Glibc
import NodeDirectory
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// A server's end of one host's control socket: a thread that answers what the host says, in turn.
///
/// Whatever comes over the socket, the worst that happens is that this session ends.
final class HostSession: @unchecked Sendable {
  private let socket: PacketSocket
  private let server: NodeServer
  /// The process at the other end.
  let process: Int32
  private let heard = Atomic(MonotonicClock.now)
  private let holdsPort = Atomic(false)
  // All below belongs to the session's thread.
  private var host: Peer?
  private var held: PortSession?
  /// A port that it looks at without having it.
  private var described: UnitRequestHandler?
  private var badMessages = 0
  /// The unit's latency and tail, as the host knows them.
  private var timing = UnitTiming()
  private let commands = TransportCommandRequests()

  /// Bad messages after which the host is shown the door.
  private static let badMessageLimit = 16
  /// Bytes of a path or URL that a host has.
  private static let longestPath = 1024
  /// Milliseconds between two looks whether the host still renders.
  private static let lookInterval = 250

  init(_ socket: PacketSocket, _ server: NodeServer) {
    self.socket = socket
    self.server = server
    process = socket.peer?.process ?? 0
  }

  /// When it said something last, from any thread.
  var lastHeard: Int64 { heard.load(ordering: .relaxed) }

  /// Whether it has a port, from any thread.
  var hasPort: Bool { holdsPort.load(ordering: .relaxed) }

  /// Answers until the host is gone, then gives back everything it had.
  func run() {
    let begin = MonotonicClock.now
    while isOpen {
      let hasNews = socket.waitForPacket(milliseconds: longestWait(since: begin))
      if held?.parkIfIdle() == true { send(0, .parked(reason: .notRendered)) }
      tellTiming()
      if host == nil, longestWait(since: begin) == 0 {
        send(0, .refused(NodeServer.silence))
        break
      }
      if !hasNews { continue }
      guard let packet = try? socket.receive() else { break }
      heard.store(MonotonicClock.now, ordering: .relaxed)
      handle(packet)
    }
    held?.free()
    socket.shutDown()
  }

  /// Milliseconds; `nil`: no limit.
  private func longestWait(since begin: Int64) -> Int? {
    if held?.unit != nil { return Self.lookInterval }
    if host != nil { return nil }
    let passed = Int((MonotonicClock.now - begin) / 1_000_000)
    return max(0, Int(NodeServer.helloLimit * 1000) - passed)
  }

  /// Ends the session, from any thread, without waiting for the host to hear why.
  func close(saying message: NodeMessage? = nil) {
    if let message { send(0, message, waits: false) }
    socket.shutDown()
  }

  /// Asks the host to do something, from any thread but the session's own, and waits for its answer.
  func command(_ command: RemoteCommand) -> RemoteAnswer {
    let command = command.jsonSafe
    return commands.ask(command) { send(0, .command(command, number: $0), waits: false) }
  }

  /// What the host takes, from any thread.
  var takenCommands: [RemoteCommand.Kind] { commands.taken }

  /// Asks the host to show itself, from any thread.
  func show() { send(0, .show, waits: false) }

  /// Whether the host is gone, from any thread.
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
      return refuse(0, "the message is not understood; see PROTOCOL.md for what there is")
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

  /// A host that does not read is as good as gone.
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
    case .hello(let version, let host): return try greet(version, host)
    case .report(let first): return report(from: first)
    case .open(let component): return try open(component)
    case .describe(let component): return try describe(component)
    case .initialize(let wish): return try initialize(wish, attached)
    case .uninitialize:
      held?.release()
      return .uninitialized
    case .park(let reason):
      held?.park(reason)
      return nil
    case .siblings(let names):
      held?.port.setSiblings(names)
      return nil
    case .takes(let commands):
      self.commands.setTaken(commands)
      return nil
    case .commanded(let number, let isDone):
      commands.answer(number, isDone: isDone)
      return nil
    case .command(let command, let component):
      try server.command(command, hostOf: component)
      return .done
    case .show:
      if let held { server.tell(.shown(held.port)) }
      return nil
    default: return try answerOfUnit(to: message)
    }
  }

  private func answerOfUnit(to message: HostMessage) throws(ProtocolError) -> NodeMessage {
    if let held, let unit = held.unit {
      return try answer(to: message, UnitRequestHandler(unit: unit, port: held.port.description))
    }
    if let described, let answer = described.look(message) { return answer }
    throw ProtocolError(.badMessage, "initialize the port before asking anything of its unit")
  }

  private func answer(
    to message: HostMessage, _ desk: UnitRequestHandler
  ) throws(ProtocolError) -> NodeMessage {
    if let answer = desk.look(message) { return answer }
    switch message {
    case .set(let values): try desk.set(values)
    case .usePreset(let number): try desk.usePreset(number)
    case .save: return try desk.save()
    case .restore(let state): try desk.restore(state)
    default: throw ProtocolError(.badMessage, "the message is not one about a unit")
    }
    tellTiming()
    return .done
  }

  /// Tells the host of a latency or tail that has changed.
  private func tellTiming() {
    guard let unit = held?.unit else { return }
    let new = UnitTiming(unit)
    if new == timing { return }
    timing = new
    send(0, .changed(latency: new.latency, tail: new.tail))
  }

  private func greet(_ version: Int, _ host: Peer) throws(ProtocolError) -> NodeMessage {
    guard version == protocolVersion else {
      throw ProtocolError(
        .versionMismatch,
        "the host speaks version \(version) of the protocol, this node \(protocolVersion): "
          + "use the same version of Portative on both sides")
    }
    try check(host)
    // The kernel knows better than the host who it is.
    self.host = host
    self.host?.processID = socket.peer?.process ?? host.processID
    return .welcome(protocol: protocolVersion, node: server.peer)
  }

  /// What it says of itself others are told, in packets that hold more than this.
  private func check(_ host: Peer) throws(ProtocolError) {
    for (field, text) in [("name", host.name), ("icon", host.icon), ("url", host.url)] {
      let limit = field == "name" ? PortDescription.maximumNameLength : Self.longestPath
      guard let count = text?.utf8.count, count > limit else { continue }
      throw ProtocolError(
        .badMessage, "a host's \(field) has at most \(limit) bytes, but this one has \(count)")
    }
  }

  /// As much as a packet holds.
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
    guard let host else { throw ProtocolError(.badMessage, "say hello before opening a port") }
    if let held {
      throw ProtocolError(
        .badMessage,
        "this connection has \(held.port.description.name): open another for a second port")
    }
    let port = try server.port(component)
    // Before it is taken, so that who has taken it is not shown the door.
    holdsPort.store(true, ordering: .relaxed)
    do throws(ProtocolError) {
      held = try PortSession(taking: port, by: self, host: host, of: server)
    } catch {
      holdsPort.store(false, ordering: .relaxed)
      throw error
    }
    return .opened(port: port.description)
  }

  /// What a port can be told: of one that a host plays as it is now, else as it is to begin with.
  private func describe(_ component: ComponentDescription) throws(ProtocolError) -> NodeMessage {
    if host == nil { throw ProtocolError(.badMessage, "say hello before asking for a port") }
    let port = try server.port(component)
    let format = Format(inputChannels: component.type.takesAudio ? Format().channels : 0)
    let unit: any RenderUnit
    if let played = port.unit {
      unit = played
    } else {
      unit = try PortSession.makeUnit(
        of: port, format, for: RenderContext(isOffline: true), isOver: { self.isOver })
    }
    let desk = UnitRequestHandler(unit: unit, port: port.description)
    described = desk
    return .described(
      port: port.description, latency: unit.latency, tail: unit.tail,
      parameters: desk.tree.parameters.count)
  }

  private func initialize(
    _ wish: Initialization, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> NodeMessage {
    guard let held else { throw ProtocolError(.badMessage, "open a port before initializing it") }
    try held.initialize(wish, attached, isOver: { self.isOver })
    guard let unit = held.unit else { throw ProtocolError(.unitFailed, "there is no unit") }
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
