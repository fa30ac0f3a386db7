import Dispatch
import FoundationEssentials
import NodeProtocol
import Synchronization

/// The host's end of a connection's control socket: sends requests, and receives answers and unsolicited messages.
///
/// Realtime: no. Threads: any. Requests are serialized.
final class ControlChannel: Sendable {
  private let socket: PacketSocket
  /// Held during a request.
  private let requestLock = Mutex(())
  private let pending = Mutex(PendingRequest())
  private let lastRefusal = Mutex<ProtocolError?>(nil)

  /// The current request.
  private struct PendingRequest {
    var id: UInt32 = 0
    /// The reason why the channel has ended, if it has.
    var end: LossReason?
    var answer: NodeMessage?
    var arrived: DispatchSemaphore?
  }

  /// The reason why a request has no answer.
  enum AskError: Error {
    case ended(LossReason)
    /// The message cannot be encoded or is too long. Nothing was sent; the channel can still be used.
    case unsendable
  }

  init(_ socket: PacketSocket) { self.socket = socket }

  /// The last unsolicited refusal of the node, which gives the reason why it ended the connection.
  var closeReason: ProtocolError? { lastRefusal.withLock { $0 } }

  /// The process ID of the peer, from the kernel.
  var peerProcess: Int32? { socket.peer.map { $0.process } }

  /// Sends a request and waits for its answer, which the thread in ``listen(every:tick:handle:)`` receives.
  ///
  /// - Parameters:
  ///   - message: The request.
  ///   - attached: A descriptor to pass to the node.
  ///   - seconds: The longest wait for the answer, in seconds.
  func ask(
    _ message: HostMessage, attached: CInt? = nil, seconds: Double
  ) throws(AskError) -> NodeMessage {
    try requestLock.withLock { _ throws(AskError) in
      let arrived = DispatchSemaphore(value: 0)
      let id = try begin(arrived)
      guard let bytes = Self.bytes(id: id, message) else { throw .unsendable }
      // If the node has disconnected, the listening thread still receives its last messages and then ends the wait.
      if !send(bytes, attached: attached) { socket.shutDown() }
      let isInTime = arrived.wait(timeout: .now() + seconds) == .success
      return try pending.withLock { pending throws(AskError) in
        pending.arrived = nil
        if let answer = pending.answer { return answer }
        throw .ended(pending.end ?? (isInTime ? .nodeEnded : .noAnswer))
      }
    }
  }

  private func begin(_ arrived: DispatchSemaphore) throws(AskError) -> UInt32 {
    try pending.withLock { pending throws(AskError) in
      if let end = pending.end { throw .ended(end) }
      pending.id += 1
      pending.answer = nil
      pending.arrived = arrived
      return pending.id
    }
  }

  /// Sends a message that has no answer. Ignores errors: the listening thread notices when the node has disconnected.
  func send(_ message: HostMessage) {
    if let bytes = Self.bytes(id: 0, message) { _ = send(bytes) }
  }

  /// Encodes a message.
  ///
  /// - Returns: `nil` when the message has an infinite or NaN number, or is too long for a packet.
  private static func bytes(id: UInt32, _ message: HostMessage) -> [UInt8]? {
    guard let data = try? JSONEncoder().encode(Packet(id: id, message)),
      data.count <= PacketSocket.limit
    else { return nil }
    return [UInt8](data)
  }

  private func send(_ bytes: [UInt8], attached: CInt? = nil) -> Bool {
    (try? socket.send(bytes, attached: attached)) != nil
  }

  /// Receives packets until the connection ends.
  ///
  /// - Parameters:
  ///   - interval: Returns the milliseconds until the next call of `tick`, or `nil` for no call. Called before each
  ///     wait.
  ///   - tick: Called when no packet has arrived within the interval.
  ///   - handle: Handles an unsolicited message.
  /// - Returns: The reason why the connection has ended.
  func listen(
    every interval: () -> Int?, tick: () -> Void, handle: (NodeMessage) -> Void
  ) -> LossReason {
    let end = receiveAll(every: interval, tick: tick, handle: handle)
    pending.withLock { pending in
      pending.end = end
      pending.arrived?.signal()
    }
    return end
  }

  private func receiveAll(
    every interval: () -> Int?, tick: () -> Void, handle: (NodeMessage) -> Void
  ) -> LossReason {
    while true {
      guard socket.waitForPacket(milliseconds: interval()) else {
        tick()
        continue
      }
      guard let received = try? socket.receive() else { return .nodeEnded }
      guard received.isWhole,
        let packet = try? JSONDecoder().decode(
          Packet<NodeMessage>.self, from: Data(received.bytes))
      else { return .protocolViolation }
      if packet.id != 0 {
        deliver(packet)
      } else if case .refused(let refusal) = packet.message {
        lastRefusal.withLock { $0 = refusal }
      } else {
        handle(packet.message)
      }
    }
  }

  private func deliver(_ packet: Packet<NodeMessage>) {
    pending.withLock { pending in
      // Answers to earlier requests arrived too late and are ignored.
      guard packet.id == pending.id, pending.answer == nil else { return }
      pending.answer = packet.message
      pending.arrived?.signal()
    }
  }

  /// Ends the connection, and with it the call of ``listen(every:tick:handle:)``.
  func close() { socket.shutDown() }
}
