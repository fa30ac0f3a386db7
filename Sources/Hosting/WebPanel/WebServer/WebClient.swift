import CWebSockets

/// The connection of a ``WebSession``.
///
/// Threads: that of the server.
package final class WebClient {
  /// The greatest number of bytes of a message from the client.
  package static let messageLimit = 65_536
  /// The bytes that may wait for a client that does not read them, before the connection is closed.
  private static let waitingLimit = 1 << 20

  /// The machine from which the client connects.
  package let peer: Peer
  /// The `Host` header, which the server admitted.
  package let host: String
  private let makeAdmitted: () -> Bool
  private var socket: OpaquePointer?
  private var masks = FrameMasks()
  var session: (any WebSession)?
  private var received: [UInt8] = []
  private var waiting: [[UInt8]] = []
  private var waitingBytes = 0
  /// Why the connection is closed when all messages have been sent.
  private var closing: (reason: Reason, text: String)?

  /// - Parameter makeAdmitted: See ``admit()``.
  init(
    _ socket: OpaquePointer, from peer: Peer, host: String, makeAdmitted: @escaping () -> Bool
  ) {
    (self.socket, self.peer, self.host, self.makeAdmitted) = (socket, peer, host, makeAdmitted)
  }

  /// Counts the client as one that has proved that it may be open, so that others cannot take its room.
  ///
  /// - Returns: `false` if there are as many as the server admits; the connection is closed then.
  package func admit() -> Bool {
    if makeAdmitted() { return true }
    close(.full, "the server has as many pages as it admits: close some")
    return false
  }

  /// Whether messages wait until the client reads.
  package var isBusy: Bool { !waiting.isEmpty }

  /// Sends a message of text. Closes the connection of a client that does not read.
  package func send(_ message: [UInt8]) {
    guard let socket, closing == nil else { return }
    waiting.append(message)
    waitingBytes += message.count
    if waitingBytes > Self.waitingLimit {
      waiting = []
      return close(.policy, "the page does not read its messages")
    }
    web_request_write(socket)
  }

  /// Why a connection is closed. Source: RFC 6455, section 7.4.
  package enum Reason: CInt {
    case gone = 1001
    case unsupported = 1003
    case policy = 1008
    case tooLarge = 1009
    /// The secret or the password is wrong.
    case refused = 4401
    /// The server has as many pages as it admits.
    case full = 4429
  }

  /// Closes the connection when all messages have been sent.
  package func close(_ reason: Reason, _ text: String) {
    guard let socket, closing == nil else { return }
    closing = (reason, text)
    web_request_write(socket)
  }

  /// Calls ``WebSession/timed()`` once, instead of at the time that was set before; `nil`: not at all.
  package func setTimer(seconds: Double?) {
    guard let socket else { return }
    web_set_timer(socket, seconds.map { Int64($0 * 1e6) } ?? -1)
  }

  /// Calls ``WebSession/readable()`` when a descriptor is readable. It is closed with the connection.
  ///
  /// - Returns: `false` if there is no room; the descriptor is closed then.
  package func watch(_ descriptor: CInt) -> Bool {
    socket.map { web_watch($0, descriptor) } ?? false
  }

  /// Checks bytes before the library uses them.
  ///
  /// - Returns: Whether the connection remains open.
  func admits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { masks.admits(bytes) }

  func receive(_ part: UnsafeBufferPointer<UInt8>, isText: Bool, isLast: Bool) {
    if closing != nil { return }
    if !isText { return close(.unsupported, "a message must be text") }
    if received.count + part.count > Self.messageLimit {
      received = []
      return close(.tooLarge, "a message has at most \(Self.messageLimit) bytes")
    }
    received += part
    guard isLast else { return }
    let message = received
    received = []
    session?.receive(message)
  }

  /// - Returns: Whether the connection remains open.
  func write() -> Bool {
    guard let socket else { return false }
    if waiting.isEmpty {
      // Only now, because the library keeps the reason where it keeps the content of pings.
      if let closing { web_set_reason(socket, closing.reason.rawValue, closing.text) }
      return closing == nil
    }
    let message = waiting.removeFirst()
    waitingBytes -= message.count
    let isSent = message.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { web_send(socket, $0, bytes.count) } ?? true
    }
    if isSent, !waiting.isEmpty || closing != nil { web_request_write(socket) }
    return isSent
  }

  func end() {
    socket = nil
    session?.closed()
    session = nil
  }
}

/// Checks that every frame of a WebSocket's client has a mask, as the standard demands.
///
/// Source: RFC 6455, sections 5.1 and 5.2.
struct FrameMasks {
  /// The bytes of the header that is being read.
  private var header: [UInt8] = []
  /// The bytes of the payload that follow.
  private var payload: UInt64 = 0

  /// Follows what the client sends, in parts of any length.
  ///
  /// - Returns: `false` if a frame has no mask. The rest is not checked then.
  mutating func admits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      if payload > 0 {
        let count = min(payload, UInt64(bytes.count - index))
        payload -= count
        index += Int(count)
        continue
      }
      header.append(bytes[index])
      index += 1
      guard header.count >= 2 else { continue }
      if header[1] & 0x80 == 0 { return false }
      let lengthBytes =
        switch header[1] & 0x7F {
        case 126: 2
        case 127: 8
        default: 0
        }
      // The mask has four bytes.
      guard header.count == 2 + lengthBytes + 4 else { continue }
      payload =
        lengthBytes == 0
        ? UInt64(header[1] & 0x7F)
        : header[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
      header = []
    }
    return true
  }
}

/// The server's side of one WebSocket. It may keep its ``WebClient`` until ``closed()``.
///
/// Threads: that of the server.
package protocol WebSession: AnyObject {
  /// Handles a message of text.
  func receive(_ message: [UInt8])

  /// The time of ``WebClient/setTimer(seconds:)`` has passed.
  func timed()

  /// The descriptor of ``WebClient/watch(_:)`` is readable.
  ///
  /// - Returns: Whether to watch it further.
  func readable() -> Bool

  /// The connection is over.
  func closed()
}
