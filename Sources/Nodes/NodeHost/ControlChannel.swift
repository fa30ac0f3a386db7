import Dispatch
import FoundationEssentials
import NodeProtocol
import Synchronization

/// A host's end of a connection's control socket: asks and gets answers, and hears what comes unasked.
///
/// Realtime: no. Threads: any; requests wait for each other.
final class ControlChannel: Sendable {
  private let socket: PacketSocket
  private let turn = Mutex(())
  private let waiting = Mutex(Waiting())
  private let lastRefusal = Mutex<ProtocolError?>(nil)

  /// Who waits for which answer.
  private struct Waiting {
    var id: UInt32 = 0
    /// How it ended, once it has.
    var end: End?
    var answer: NodeMessage?
    var arrived: DispatchSemaphore?
  }

  /// What ended a channel.
  enum End: Error {
    case peerGone
    case nonsense
    case noAnswer
  }

  /// Why there is no answer.
  enum AskError: Error {
    case ended(End)
    /// The message is none: nothing was said, and the channel goes on.
    case unsendable
  }

  init(_ socket: PacketSocket) { self.socket = socket }

  /// Why the node ended the connection, where it said so unasked.
  var farewell: ProtocolError? { lastRefusal.withLock { $0 } }

  /// The process at the other end, as the kernel knows it.
  var peerProcess: Int32? { socket.peer.map { $0.process } }

  /// Sends a request and waits for its answer, which the thread in ``listen(every:tick:hear:)`` receives.
  ///
  /// - Parameter seconds: How long to wait.
  func ask(
    _ message: HostMessage, attached: CInt? = nil, seconds: Double
  ) throws(AskError) -> NodeMessage {
    try turn.withLock { _ throws(AskError) in
      let arrived = DispatchSemaphore(value: 0)
      let id = try begin(arrived)
      guard let bytes = Self.bytes(id: id, message) else { throw .unsendable }
      // It may be gone, but what it said last is still to be heard by whoever listens.
      if !send(bytes, attached: attached) { socket.shutDown() }
      let isInTime = arrived.wait(timeout: .now() + seconds) == .success
      return try waiting.withLock { waiting throws(AskError) in
        waiting.arrived = nil
        if let answer = waiting.answer { return answer }
        throw .ended(waiting.end ?? (isInTime ? .peerGone : .noAnswer))
      }
    }
  }

  private func begin(_ arrived: DispatchSemaphore) throws(AskError) -> UInt32 {
    try waiting.withLock { waiting throws(AskError) in
      if let end = waiting.end { throw .ended(end) }
      waiting.id += 1
      waiting.answer = nil
      waiting.arrived = arrived
      return waiting.id
    }
  }

  /// Sends what has no answer. A peer that is gone is heard of by whoever listens.
  func tell(_ message: HostMessage) {
    if let bytes = Self.bytes(id: 0, message) { _ = send(bytes) }
  }

  /// - Returns: `nil` where it has a number that is none, or is too long for a packet.
  private static func bytes(id: UInt32, _ message: HostMessage) -> [UInt8]? {
    guard let data = try? JSONEncoder().encode(Packet(id: id, message)),
      data.count <= PacketSocket.limit
    else { return nil }
    return [UInt8](data)
  }

  private func send(_ bytes: [UInt8], attached: CInt? = nil) -> Bool {
    (try? socket.send(bytes, attached: attached)) != nil
  }

  /// Receives until the connection ends, and says how it did.
  ///
  /// - Parameters:
  ///   - interval: Asked before each wait: milliseconds between two calls of `tick`, or `nil` for none.
  ///   - hear: Gets what comes unasked.
  func listen(
    every interval: () -> Int?, tick: () -> Void, hear: (NodeMessage) -> Void
  ) -> End {
    let end = receiveAll(every: interval, tick: tick, hear: hear)
    waiting.withLock { waiting in
      waiting.end = end
      waiting.arrived?.signal()
    }
    return end
  }

  private func receiveAll(
    every interval: () -> Int?, tick: () -> Void, hear: (NodeMessage) -> Void
  ) -> End {
    while true {
      guard socket.waitForPacket(milliseconds: interval()) else {
        tick()
        continue
      }
      guard let received = try? socket.receive() else { return .peerGone }
      guard received.isWhole,
        let packet = try? JSONDecoder().decode(
          Packet<NodeMessage>.self, from: Data(received.bytes))
      else { return .nonsense }
      if packet.id != 0 {
        arrive(packet)
      } else if case .refused(let refusal) = packet.message {
        lastRefusal.withLock { $0 = refusal }
      } else {
        hear(packet.message)
      }
    }
  }

  private func arrive(_ packet: Packet<NodeMessage>) {
    waiting.withLock { waiting in
      // An answer that nobody waits for any more came too late.
      guard packet.id == waiting.id, waiting.answer == nil else { return }
      waiting.answer = packet.message
      waiting.arrived?.signal()
    }
  }

  /// Ends the connection; whoever listens hears of it.
  func close() { socket.shutDown() }
}
