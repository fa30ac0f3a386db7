import ConnectionTestSupport
import Foundation
import NodeDirectory
import NodeProtocol
import RenderCore
import TestSupport
import Threads

/// A host that sends any messages, valid or not.
final class RawHost {
  let socket: PacketSocket

  init(_ socketPath: String) throws { socket = try PacketSocket(connectingTo: socketPath) }

  func send(_ bytes: [UInt8], attached: CInt? = nil) throws(SystemError) {
    try socket.send(bytes, attached: attached)
  }

  func say(_ message: HostMessage, attached: CInt? = nil) throws {
    try send([UInt8](JSONEncoder().encode(Packet(id: 7, message))), attached: attached)
  }

  /// Returns the node's next message, or `nil` if the node has closed the connection.
  func hear() throws -> NodeMessage? {
    guard socket.waitForPacket(milliseconds: 20_000) else {
      throw SystemError(code: 0, call: "hear")
    }
    guard let packet = try socket.receive() else { return nil }
    return try JSONDecoder().decode(Packet<NodeMessage>.self, from: Data(packet.bytes)).message
  }

  func ask(_ message: HostMessage, attached: CInt? = nil) throws -> NodeMessage? {
    try say(message, attached: attached)
    return try hear()
  }

  /// Sends hello and opens a port.
  func open(_ number: Int = 0) throws { try open(pulses(number)) }

  func open(_ component: ComponentDescription) throws {
    _ = try ask(.hello(protocol: protocolVersion, host: Peer(name: "raw", processID: 1)))
    let answer = try ask(.open(component: component))
    guard case .opened = answer else { throw SystemError(code: 0, call: "\(answer as Any)") }
  }

  /// Opens a port that another host has just closed, and retries until the node has noticed.
  func openSoon(_ number: Int = 0) throws {
    _ = try ask(.hello(protocol: protocolVersion, host: Peer(name: "raw", processID: 1)))
    var answer: NodeMessage?
    let isOpened = try eventually {
      answer = try ask(.open(component: pulses(number)))
      return if case .opened = answer { true } else { false }
    }
    guard isOpened else { throw SystemError(code: 0, call: "\(answer as Any)") }
  }

  /// Initializes the open port.
  func initialize(
    _ format: Format = Format(maximumFrames: 64), isOffline: Bool = false, priority: Int = 0
  ) throws -> Segment {
    let made = try Segment.make(format)
    let descriptor = OwnedDescriptor(made.descriptor)
    let wish = Initialization(format, isOffline: isOffline, priority: priority)
    let answer = try withExtendedLifetime(descriptor) {
      try ask(.initialize(wish), attached: descriptor.number)
    }
    guard case .initialized = answer else { throw SystemError(code: 0, call: "\(answer as Any)") }
    return made.segment
  }

  /// Requests a cycle and waits for its answer.
  func cycle(_ segment: Segment, number: UInt32, frames: UInt32 = 64) -> Bool {
    let cycle = segment.cycle
    cycle.frames = frames
    cycle.posted.store(number)
    cycle.posted.wake()
    return eventually { withExtendedLifetime(segment) { cycle.answered.value == number } }
  }
}

extension NodeMessage {
  var refusal: ProtocolError? { if case .refused(let refusal) = self { refusal } else { nil } }
}
