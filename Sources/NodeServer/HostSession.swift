import Components
import FoundationEssentials
import Glibc
import HostConnection
import RenderCore

/// A server's end of one host's control socket: a thread that answers what the host says, in turn.
///
/// Whatever comes over the socket, the worst that happens is that this session ends.
final class HostSession: @unchecked Sendable {
  private let socket: PacketSocket
  private let server: NodeServer
  // All below belongs to the session's thread.
  private var host: Peer?
  private var port: PublishedPort?
  private var renderer: PortRenderer?
  private var progress = Progress()
  private var badMessages = 0

  /// Seconds within which a host that is gone is noticed, and its port free.
  private static let noticeLimit = 2.0
  /// Bad messages after which the host is shown the door.
  private static let patience = 16
  /// Milliseconds between two looks whether the host still renders.
  private static let lookInterval = 250

  init(_ socket: PacketSocket, _ server: NodeServer) {
    self.socket = socket
    self.server = server
  }

  /// Answers until the host is gone, then gives back everything it had.
  func run() {
    if admit() {
      while isOpen {
        let hasNews = socket.waitForPacket(milliseconds: evicts ? Self.lookInterval : nil)
        evictIfIdle()
        if !hasNews { continue }
        guard let packet = try? socket.receive() else { break }
        handle(packet)
      }
    }
    release()
    if let port, let host {
      port.free()
      server.tell(.left(port, host))
    }
    socket.shutDown()
  }

  /// Ends the session, from any thread, without waiting for the host to hear why.
  func close(saying message: NodeMessage? = nil) {
    if let message { send(0, message, waits: false) }
    socket.shutDown()
  }

  /// Whether the host is gone, from any thread.
  var isOver: Bool { socket.isOver }

  private var isOpen: Bool { badMessages < Self.patience }

  /// Only whoever runs the server may use it, even where the folder's mode would allow others in.
  private func admit() -> Bool {
    guard let peer = socket.peer, peer.user == geteuid() else {
      let reason = "this node belongs to user \(geteuid()): run the host as the same user"
      send(0, .refused(Refusal(.stranger, reason)))
      server.tell(.refusedStranger(user: socket.peer?.user))
      return false
    }
    return true
  }

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
    do throws(Refusal) {
      if let answer = try answer(to: packet.message, received.attached) { send(packet.id, answer) }
    } catch {
      if error.code == .badMessage { badMessages += 1 }
      if error.code == .versionMismatch { badMessages = Self.patience }
      send(packet.id, .refused(error))
    }
  }

  private func refuse(_ id: UInt32, _ reason: String) {
    badMessages += 1
    send(id, .refused(Refusal(.badMessage, reason)))
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
  ) throws(Refusal) -> NodeMessage? {
    switch message {
    case .hello(let version, let host): return try greet(version, host)
    case .report(let first): return report(from: first)
    case .open(let component): return try open(component)
    case .initialize(let wish): return try initialize(wish, attached)
    case .uninitialize:
      release()
      return .uninitialized
    case .park(let reason):
      if renderer != nil { park(reason) }
      return nil
    case .siblings(let names):
      port?.setSiblings(names)
      return nil
    }
  }

  private func greet(_ version: Int, _ host: Peer) throws(Refusal) -> NodeMessage {
    guard version == protocolVersion else {
      throw Refusal(
        .versionMismatch,
        "the host speaks version \(version) of the protocol, this node \(protocolVersion): "
          + "use the same version of Portative on both sides")
    }
    // The kernel knows better than the host who it is.
    self.host = host
    self.host?.processID = socket.peer?.process ?? host.processID
    return .welcome(protocol: protocolVersion, node: server.peer)
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

  private func open(_ component: ComponentDescription) throws(Refusal) -> NodeMessage {
    guard let host else { throw Refusal(.badMessage, "say hello before opening a port") }
    if let port {
      throw Refusal(
        .badMessage, "this connection has \(port.description.name): open another for a second port")
    }
    let port = try server.port(component)
    try take(port, host)
    self.port = port
    server.tell(.taken(port, host))
    return .opened(port: port.description)
  }

  /// Takes a port; from a host that is just being noticed to be gone, a moment later.
  private func take(_ port: PublishedPort, _ host: Peer) throws(Refusal) {
    let limit = MonotonicClock.now + Int64(Self.noticeLimit * 1e9)
    while true {
      switch port.take(self, host: host) {
      case .taken: return
      case .withdrawn:
        throw Refusal(.noSuchPort, "\(port.description.name) is not published any more")
      case .held(let holder):
        guard port.isBeingLeft, MonotonicClock.now < limit, !isOver else {
          throw Refusal(
            .portInUse,
            "\(port.description.name) is in use by \(holder): "
              + "close it there, or use another port")
        }
        usleep(2000)
      }
    }
  }

  private func initialize(
    _ wish: Initialization, _ attached: OwnedDescriptor?
  ) throws(Refusal) -> NodeMessage {
    guard let port else { throw Refusal(.badMessage, "open a port before initializing it") }
    if renderer != nil { throw Refusal(.badMessage, "uninitialize before initializing anew") }
    let segment = try takeSegment(wish, attached)
    let unit = try makeUnit(port, wish.format)
    let renderer = PortRenderer(wish, segment: segment, unit: unit, tender: server.tender)
    do throws(SystemError) {
      try renderer.start()
    } catch {
      throw Refusal(.unitFailed, "cannot start a render thread: \(error)")
    }
    self.renderer = renderer
    progress = Progress()
    port.setRenderer(renderer)
    server.tell(.initialized(port, isRealtime: renderer.isRealtime))
    return .initialized(latency: unit.latency)
  }

  private func takeSegment(
    _ wish: Initialization, _ attached: OwnedDescriptor?
  ) throws(Refusal) -> Segment {
    do throws(FormatError) {
      try wish.format.validate()
    } catch {
      throw Refusal(.unsupportedFormat, error.description)
    }
    guard let attached else {
      throw Refusal(.unusableMemory, "no descriptor came with the message: attach the segment")
    }
    do throws(SegmentError) {
      return try Segment(opening: attached.number, wish.format)
    } catch {
      throw Refusal(.unusableMemory, error.description)
    }
  }

  private func makeUnit(
    _ port: PublishedPort, _ format: Format
  ) throws(Refusal) -> any RenderUnit {
    do {
      let making = try UnitMaking(port.source, format)
      guard let made = making.wait(while: { !isOver }) else {
        throw Refusal(.unitFailed, "nobody waits for \(port.description.name) any more")
      }
      return try made.get()
    } catch let error as Refusal {
      throw error
    } catch let error as FormatError {
      throw Refusal(.unsupportedFormat, "\(port.description.name): \(error)")
    } catch {
      throw Refusal(.unitFailed, "\(port.description.name) cannot be played: \(error)")
    }
  }

  /// Ends the render thread and lets go of the unit.
  private func release() {
    guard let renderer else { return }
    self.renderer = nil
    if !renderer.stop(), let port { server.tell(.hangs(port)) }
    port?.setRenderer(nil)
  }

  private var evicts: Bool { renderer.map { !$0.initialization.isOffline } ?? false }

  private func evictIfIdle() {
    guard evicts, let renderer, let limit = server.evictionLimit else { return }
    guard progress.isIdle(renderer.counters, for: limit) else { return }
    park(.notRendered)
    send(0, .parked(reason: .notRendered))
  }

  private func park(_ reason: ParkReason) {
    release()
    if let port { server.tell(.parked(port, reason)) }
  }
}

/// Notices that cycles have ceased.
private struct Progress {
  private var cycles = 0
  private var since = MonotonicClock.now

  mutating func isIdle(_ counters: RenderCounters, for seconds: Double) -> Bool {
    // A unit that is slow is not its host's fault.
    let isRendering = counters.isRendering
    if isRendering || counters.cycles != cycles {
      cycles = counters.cycles
      since = MonotonicClock.now
    }
    return Double(MonotonicClock.now - since) / 1e9 >= seconds
  }
}
