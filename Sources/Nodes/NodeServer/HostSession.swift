import NodeDirectory
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// The server's end of a host's control socket: a thread that answers the host's messages in order.
///
/// The host is not trusted: invalid messages can only end this session.
final class HostSession: @unchecked Sendable {
  let socket: PacketSocket
  let server: NodeServer
  /// The process at the other end.
  let process: Int32
  private let lastReceived: Atomic<Int64>
  let holdsPort = Atomic(false)
  // The following properties are used only by the session's thread.
  var host: Peer?
  var portSession: PortSession?
  /// A port that the host has described without opening it, and its unit.
  var described: (port: PublishedPort, unit: any RenderUnit)?
  /// The last file of what keyboards have played, which is sent in parts.
  var take: RecordedTake?
  private var badMessages = 0
  /// The latency and tail of the unit that were last sent to the host.
  var timing = UnitTiming()
  let commands = TransportCommandRequests()

  /// The number of bad messages after which the host is disconnected.
  private static let badMessageLimit = 16
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

  /// Whether the host has disconnected. Threads: any.
  var isOver: Bool { socket.isOver }

  private var isOpen: Bool { badMessages < Self.badMessageLimit }

  private func handle(_ received: ReceivedPacket) {
    guard received.isWhole else {
      return refuse(
        ProtocolError(
          .badMessage, "a message has at most \(PacketSocket.limit) bytes, but this one has more"))
    }
    do throws(ReceivedMessage.Malformed) {
      handle(try ReceivedMessage(received.bytes), received.attached)
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
