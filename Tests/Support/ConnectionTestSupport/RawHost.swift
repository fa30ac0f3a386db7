import Foundation
package import LocalSystem
package import NodeProtocol
package import RenderCore
import TestSupport

/// A host that sends any messages, valid or not.
package final class RawHost {
  package let socket: PacketSocket

  package init(_ socketPath: String) throws { socket = try PacketSocket(connectingTo: socketPath) }

  package func send(_ bytes: [UInt8], attached: CInt? = nil) throws(SystemError) {
    try socket.send(bytes, attached: attached)
  }

  package func send(_ request: some Request, id: UInt32 = 7, attached: CInt? = nil) throws {
    try send(MessageEncoder.request(request, id: id), attached: attached)
  }

  package func send(_ notification: some NodeProtocol.Notification) throws {
    try send(MessageEncoder.notification(notification))
  }

  /// Returns the node's next message, or `nil` if the node has closed the connection.
  package func receive() throws -> ReceivedMessage? {
    guard socket.waitForPacket(milliseconds: 20_000) else {
      throw SystemError(code: 0, call: "receive")
    }
    guard let packet = try socket.receive() else { return nil }
    return try ReceivedMessage(packet.bytes)
  }

  /// Sends a request and returns its result.
  ///
  /// - Throws: ``ProtocolError`` if the node refuses the request.
  package func ask<R: Request>(_ request: R, attached: CInt? = nil) throws -> R.Response {
    try send(request, attached: attached)
    guard let message = try receive() else { throw SystemError(code: 0, call: "closed") }
    if case .error(_, let error) = message.kind { throw error }
    guard message.kind == .response(id: 7) else {
      throw SystemError(code: 0, call: "\(message.kind)")
    }
    return try message.result(R.Response.self)
  }

  /// Returns the error of a request that the node refuses; `nil` if it does not.
  package func refusal(of request: some Request, attached: CInt? = nil) throws -> ProtocolError? {
    do {
      _ = try ask(request, attached: attached)
      return nil
    } catch let error as ProtocolError {
      return error
    }
  }

  /// Returns the node's next message if it is an error.
  package func refusal() throws -> ProtocolError? {
    if case .error(_, let error)? = try receive()?.kind { error } else { nil }
  }

  /// Sends hello and opens a port.
  package func open(_ number: Int = 0) throws { try open(pulses(number)) }

  package func open(_ component: ComponentDescription) throws {
    _ = try ask(Hello(peer: Peer(name: "raw", processID: 1)))
    _ = try ask(OpenPort(component: component))
  }

  /// Opens a port that another host has just closed, and retries until the node has noticed.
  package func openSoon(_ number: Int = 0) throws {
    _ = try ask(Hello(peer: Peer(name: "raw", processID: 1)))
    let isOpened = try eventually {
      try refusal(of: OpenPort(component: pulses(number))) == nil
    }
    guard isOpened else { throw SystemError(code: 0, call: "open") }
  }

  /// Initializes the open port.
  package func initialize(
    _ format: Format = Format(maximumFrames: 64), isOffline: Bool = false, priority: Int = 0
  ) throws -> Segment {
    let made = try Segment.make(format)
    let descriptor = OwnedDescriptor(made.descriptor)
    let request = InitializePort(format, isOffline: isOffline, priority: priority)
    _ = try withExtendedLifetime(descriptor) {
      try ask(request, attached: descriptor.number)
    }
    return made.segment
  }

  /// Requests a cycle and waits for its answer.
  package func cycle(_ segment: Segment, number: UInt32, frames: UInt32 = 64) -> Bool {
    let cycle = segment.cycle
    cycle.frames = frames
    cycle.posted.store(number)
    cycle.posted.wake()
    return eventually { withExtendedLifetime(segment) { cycle.answered.value == number } }
  }
}
