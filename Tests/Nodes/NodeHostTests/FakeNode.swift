import Foundation
import Glibc
import NodeDirectory
import NodeHost
import NodeProtocol
import TestSupport

/// A node that answers each packet with the next of its scripted replies, valid or not.
final class FakeNode: Sendable {
  let socketPath = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
  static let port = try! PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("fake"), manufacturer: FourCharacterCode("Test")
    ), name: "Test: Fake", version: SemanticVersion("1.0.0"))
  private let listener: PacketListener

  /// Returns the packets to send in reply to a packet with the number `id`.
  typealias Reply = @Sendable (_ id: UInt32) -> [[UInt8]]

  /// - Parameter replies: The replies; after the last one, the node closes the connection.
  convenience init(_ replies: [Reply]) throws {
    try self.init(packets: replies.count) { index, asked in replies[index](asked.id) }
  }

  /// Creates a node that answers each numbered message of a host; it answers the connection's first
  /// messages itself.
  ///
  /// - Parameter answer: Returns the messages for any other request: unsolicited ones first, the answer last.
  convenience init(answer: @escaping @Sendable (HostMessage) -> [NodeMessage]) throws {
    try self.init(packets: .max) { _, asked in
      if asked.id == 0 { return [] }
      let messages: [NodeMessage] =
        switch asked.message {
        case .hello: [.welcome(protocol: 1, node: Peer(name: "fake", processID: 1))]
        case .open: [.opened(port: Self.port)]
        case .uninitialize: [.uninitialized]
        default: answer(asked.message)
        }
      return messages.enumerated().map { index, message in
        Self.message(message, id: index == messages.count - 1 ? asked.id : 0)
      }
    }
  }

  /// - Parameters:
  ///   - count: The number of packets after which the node closes the connection.
  ///   - say: Receives each packet with its index, and returns the packets to send.
  private init(
    packets count: Int, say: @escaping @Sendable (_ index: Int, Packet<HostMessage>) -> [[UInt8]]
  ) throws {
    listener = try PacketListener(path: socketPath)
    let thread = TestThread { [listener] in
      guard let socket = try? listener.accept().get() else { return }
      for index in 0..<count {
        guard let packet = try? socket.receive(),
          let asked = try? JSONDecoder().decode(Packet<HostMessage>.self, from: Data(packet.bytes))
        else { return }
        for bytes in say(index, asked) { try? socket.send(bytes) }
      }
      _ = socket.waitForPacket(milliseconds: 200)
    }
    thread.detach()
  }

  deinit {
    listener.close()
    unlink(socketPath)
  }

  static func message(_ message: NodeMessage, id: UInt32) -> [UInt8] {
    (try? [UInt8](JSONEncoder().encode(Packet(id: id, message)))) ?? []
  }

  func connect() throws -> Connection {
    try AudioHost(name: "Tester").connect(
      to: Self.port.component, ofNode: "fake", socketPath: socketPath)
  }

  /// Returns a valid reply with a message.
  static func says(_ message: NodeMessage) -> Reply {
    { id in [Self.message(message, id: id)] }
  }
}
