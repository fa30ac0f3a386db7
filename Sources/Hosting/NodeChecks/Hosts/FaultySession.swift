import Glibc
import LocalSystem
import NodeProtocol

/// The connection of a host to a ``FaultyNode``: answers its requests, all but one as the protocol says.
///
/// Threads: one.
final class FaultySession {
  private let socket: PacketSocket
  private let fault: HostFault
  private let port: PortDescription
  private let node: FaultyNode
  private let peer = Peer(name: "portative check", processID: getpid())
  private var stage = RawConnection.Stage.connected
  private var cycles: FaultyCycles?
  private var hasLied = false

  init(
    _ socket: PacketSocket, _ fault: HostFault, _ port: PortDescription, _ node: FaultyNode
  ) {
    (self.socket, self.fault, self.port, self.node) = (socket, fault, port, node)
  }

  /// Answers until the connection ends.
  func run() {
    defer { cycles?.stop() }
    while let packet = (try? socket.receive()) ?? nil {
      do {
        let message = try packet.message
        guard case .request(let id, let method) = message.kind else {
          if case .notification(ParkPort.method) = message.kind { stop() }
          continue
        }
        if try !answer(message, method, id, packet.attached) { return socket.shutDown() }
      } catch {
        node.blame("sends what the protocol excludes: \(error)")
        return socket.shutDown()
      }
    }
  }

  /// - Returns: `false` to end the connection.
  private func answer(
    _ message: ReceivedMessage, _ method: String, _ id: UInt32, _ attached: OwnedDescriptor?
  ) throws -> Bool {
    let result: any Encodable & Sendable
    switch method {
    case Hello.method:
      if stage != .connected { node.blame("sends hello twice") }
      let hello = try message.checkedParameters(Hello.self)
      if VersionRange.supported.common(with: hello.protocol) == nil {
        node.blame("does not offer version 2 of the protocol")
      }
      stage = .greeted
      result = Hello.Response(
        protocol: fault == .unofferedVersion ? 3 : 2,
        peer: peer)
    case OpenPort.method, DescribePort.method:
      guard stage != .connected else { return blame("sends \(method) before hello") }
      var port = port
      if fault == .otherPort {
        port = FaultyNode.port(port.component.type == .effect ? .instrument : .effect)
      }
      if method == DescribePort.method {
        result = DescribePort.Response(port: port, unit: UnitProperties(latency: 0))
        break
      }
      if try message.checkedParameters(OpenPort.self).component != self.port.component {
        node.blame("opens a port that is not published")
      }
      stage = .opened
      result = OpenPort.Response(port: port)
    case InitializePort.method:
      // A parked port is initialized again.
      if fault == .parks { stop() }
      guard stage == .opened else { return blame("sends initialize at the wrong time") }
      let parameters = try message.checkedParameters(InitializePort.self)
      if fault != .noInitialize, fault != .endsAtInitialize {
        guard let attached else { return blame("attaches no memory to initialize") }
        cycles = try FaultyCycles(
          Segment(opening: attached.number, parameters.format), fault,
          hasLied: hasLied || fault.method == method,
          socket, node)
      }
      stage = .initialized
      result = properties
    case UninitializePort.method:
      stop()
      result = Done()
    case GetReport.method:
      result = GetReport.Response(NodeReport(node: peer, ports: []), total: 0)
    case GetParameters.method: result = GetParameters.Response(items: [], total: 0, groups: [])
    case GetValues.method: result = GetValues.Response(values: [])
    case GetPresets.method: result = GetPresets.Response(items: [], total: 0)
    case SaveState.method:
      result = SaveState.Response(state: UnitState(component: port.component, parameters: [:]))
    case SetParameters.method, RestoreState.method, Panic.method: result = Done()
    default:
      return send(
        try MessageEncoder.error(
          ProtocolError(.unknownMethod, "this node has no method '\(method)': send another"), id: id
        ))
    }
    return try send(result, id, method)
  }

  /// The answer to `initialize`.
  private var properties: UnitProperties {
    switch fault {
    case .negativeLatency: UnitProperties(latency: -5)
    case .endlessLatency: UnitProperties(latency: 1 << 62)
    case .endlessTail: UnitProperties(latency: 0, tail: 1 << 40)
    case .manyParameters: UnitProperties(latency: 0, parameterCount: 1 << 40)
    default: UnitProperties(latency: 0)
    }
  }

  /// Sends a result, or what the fault makes of it.
  private func send(
    _ result: any Encodable & Sendable, _ id: UInt32, _ method: String
  ) throws -> Bool {
    let right = try MessageEncoder.response(result, id: id)
    guard method == fault.method else { return send(right) }
    node.noteFault()
    hasLied = fault.isLie
    switch fault {
    case .noHello, .noOpen, .noInitialize: return true
    case .endsAtHello, .endsAtOpen, .endsAtInitialize: return false
    case .noMessage: return send(Array("nonsense".utf8))
    case .cutAnswer: return send(Array(right.prefix(right.count / 2)))
    case .deepAnswer: return send([UInt8](repeating: UInt8(ascii: "["), count: 60_000))
    case .otherNumber: return send(try MessageEncoder.response(result, id: id &+ 7))
    case .resultAndError:
      let error = #", "error": {"code": "badMessage", "message": "both"}}"#
      return send(Array(right.dropLast()) + Array(error.utf8))
    case .hiddenCharacters:
      return send(
        Array(
          #"{"id": \#(id), "error": {"code": "noSuchPort", "message": "\#(HostRun.hiddenText)"}}"#
            .utf8))
    default: return send(right)
    }
  }

  private func send(_ packet: [UInt8]) -> Bool { (try? socket.send(packet)) != nil }

  private func blame(_ sentence: String) -> Bool {
    node.blame(sentence)
    return false
  }

  private func stop() {
    cycles?.stop()
    cycles = nil
    if stage == .initialized { stage = .opened }
  }
}
