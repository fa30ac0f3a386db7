import Foundation
import Glibc
import NodeDirectory
import NodeHost
import NodeProtocol
import TestSupport

/// A node that answers as it is told to, sense or not: each packet with the next of its replies.
final class FakeNode: Sendable {
  let socketPath = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
  static let port = try! PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("fake"), manufacturer: FourCharacterCode("Test")
    ), name: "Test: Fake", version: SemanticVersion("1.0.0"))
  private let listener: PacketListener

  /// What is said to a packet that has a number: as many packets as there are.
  typealias Reply = @Sendable (_ id: UInt32) -> [[UInt8]]

  /// - Parameter replies: When there are no more, it hangs up.
  convenience init(_ replies: [Reply]) throws {
    try self.init(packets: replies.count) { index, asked in replies[index](asked.id) }
  }

  /// Answers each message of a host that has a number, those that a connection begins with by itself.
  ///
  /// - Parameter answer: To all else: what comes unasked, and last the answer.
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
  ///   - count: After so many packets it hangs up.
  ///   - say: Gets each packet with its number among all, and returns what is said to it.
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

  /// A well-behaved answer.
  static func says(_ message: NodeMessage) -> Reply {
    { id in [Self.message(message, id: id)] }
  }
}
