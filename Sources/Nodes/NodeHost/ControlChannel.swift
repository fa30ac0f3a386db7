import Dispatch
import NodeProtocol
import Synchronization

/// The host's end of a connection's control socket: sends requests, and receives responses and the node's messages.
///
/// Realtime: no. Threads: any. Requests are serialized.
final class ControlChannel: Sendable {
  private let socket: PacketSocket
  /// Held during a request.
  private let requestLock = Mutex(())
  private let pending = Mutex(PendingRequest())
  private let lastRefusal = Mutex<ProtocolError?>(nil)
  private let firstViolation = Mutex<Violation?>(nil)

  /// The current request.
  private struct PendingRequest {
    var id: UInt32 = 0
    /// The reason why the channel has ended, if it has.
    var end: LossReason?
    /// The response or the error.
    var answer: ReceivedMessage?
    var arrived: DispatchSemaphore?
  }

  /// An invalid message of the node.
  struct Violation {
    /// The method of the request that it answers, or its own; `nil` if it has none.
    var method: String?
    var isAnswer = false
    var error: ProtocolError
  }

  /// The reason why a request has no result.
  enum RequestError: Error {
    case ended(LossReason)
    case refused(ProtocolError)
    /// The message cannot be encoded or is too long. Nothing was sent; the channel can still be used.
    case unsendable
  }

  init(_ socket: PacketSocket) { self.socket = socket }

  /// The last error of the node that answers no request, which gives the reason why it ended the connection.
  var closeReason: ProtocolError? { lastRefusal.withLock { $0 } }

  /// The first invalid message; `nil` if there was none.
  var violation: Violation? { firstViolation.withLock { $0 } }

  /// Records that a message of the node is invalid. Only the first one counts.
  func record(_ violation: Violation) {
    firstViolation.withLock { if $0 == nil { $0 = violation } }
  }

  /// Sends a request and waits for its result, which the thread in ``listen(every:tick:handle:)`` receives.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - attached: A descriptor to pass to the node.
  ///   - seconds: The longest wait, in seconds.
  func send<R: Request>(
    _ request: R, attached: CInt? = nil, seconds: Double
  ) throws(RequestError) -> R.Response {
    let answer = try requestLock.withLock { _ throws(RequestError) in
      let arrived = DispatchSemaphore(value: 0)
      let id = try begin(arrived)
      guard let bytes = Self.packet(try? MessageEncoder.request(request, id: id)) else {
        throw .unsendable
      }
      // If the node has disconnected, the listening thread still receives its last messages and then ends the wait.
      if !send(bytes, attached: attached) { socket.shutDown() }
      let isInTime = arrived.wait(timeout: .now() + seconds) == .success
      return try pending.withLock { pending throws(RequestError) in
        pending.arrived = nil
        if let answer = pending.answer { return answer }
        throw .ended(pending.end ?? (isInTime ? .nodeEnded : .noAnswer))
      }
    }
    if case .error(_, let error) = answer.kind { throw .refused(error) }
    do throws(ProtocolError) {
      let result = try answer.result(R.Response.self)
      try request.check(result)
      return result
    } catch {
      record(Violation(method: R.method, isAnswer: true, error: error))
      throw .ended(.protocolViolation)
    }
  }

  private func begin(_ arrived: DispatchSemaphore) throws(RequestError) -> UInt32 {
    try pending.withLock { pending throws(RequestError) in
      if let end = pending.end { throw .ended(end) }
      pending.id &+= 1
      pending.answer = nil
      pending.arrived = arrived
      return pending.id
    }
  }

  /// Sends a notification. Ignores errors: the listening thread notices when the node has disconnected.
  func send(_ notification: some Notification) {
    if let bytes = Self.packet(try? MessageEncoder.notification(notification)) { _ = send(bytes) }
  }

  /// Answers a request of the node. Ignores errors.
  func respond(_ response: some Encodable & Sendable, to id: UInt32) {
    if let bytes = Self.packet(try? MessageEncoder.response(response, id: id)) { _ = send(bytes) }
  }

  /// Refuses a request of the node. Ignores errors.
  func refuse(_ error: ProtocolError, id: UInt32) {
    if let bytes = try? MessageEncoder.error(error, id: id) { _ = send(bytes) }
  }

  /// Returns `nil` for a message that could not be encoded, because it has an infinite or NaN number, or that is too
  /// long.
  private static func packet(_ bytes: [UInt8]?) -> [UInt8]? {
    guard let bytes, bytes.count <= PacketSocket.limit else { return nil }
    return bytes
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
  ///   - handle: Handles a request or notification of the node. A malformed one ends the connection.
  /// - Returns: The reason why the connection has ended.
  func listen(
    every interval: () -> Int?, tick: () -> Void,
    handle: (ReceivedMessage) throws(ProtocolError) -> Void
  ) -> LossReason {
    let end = receiveAll(every: interval, tick: tick, handle: handle)
    pending.withLock { pending in
      pending.end = end
      pending.arrived?.signal()
    }
    return end
  }

  private func receiveAll(
    every interval: () -> Int?, tick: () -> Void,
    handle: (ReceivedMessage) throws(ProtocolError) -> Void
  ) -> LossReason {
    while true {
      guard socket.waitForPacket(milliseconds: interval()) else {
        tick()
        continue
      }
      guard let received = try? socket.receive() else { return .nodeEnded }
      let message: ReceivedMessage
      do throws(ReceivedMessage.Malformed) {
        message = try received.message
      } catch {
        record(Violation(error: error.error))
        return .protocolViolation
      }
      switch message.kind {
      case .response(let id), .error(let id?, _): deliver(message, id)
      case .error(nil, let error): lastRefusal.withLock { $0 = error }
      case .request(_, let method), .notification(let method):
        do throws(ProtocolError) {
          try handle(message)
        } catch {
          record(Violation(method: method, error: error))
          return .protocolViolation
        }
      }
    }
  }

  private func deliver(_ message: ReceivedMessage, _ id: UInt32) {
    pending.withLock { pending in
      // Answers to earlier requests arrived too late and are ignored.
      guard id == pending.id, pending.answer == nil else { return }
      pending.answer = message
      pending.arrived?.signal()
    }
  }

  /// Ends the connection, and with it the call of ``listen(every:tick:handle:)``.
  func close() { socket.shutDown() }
}
