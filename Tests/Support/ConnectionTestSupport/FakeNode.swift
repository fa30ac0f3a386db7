import Foundation
import Glibc
package import LocalSystem
package import NodeHost
package import NodeProtocol
import TestSupport

/// A node that answers each packet with the next of its scripted replies, valid or not.
package final class FakeNode: Sendable {
  package let socketPath: String
  package static let port = try! PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("fake"), manufacturer: FourCharacterCode("Test")
    ), name: "Test: Fake", version: SemanticVersion("1.0.0"))
  private let listener: PacketListener
  /// The entry in the runtime folder, if other processes can find the node.
  private let entry: RunningNode?

  /// Returns the packets to send in reply to a packet with the number `id`.
  package typealias Reply = @Sendable (_ id: UInt32) -> [[UInt8]]

  /// - Parameter replies: The replies; after the last one, the node closes the connection.
  package convenience init(_ replies: [Reply]) throws {
    try self.init(packets: replies.count) { index, _, id in AnySequence(replies[index](id)) }
  }

  /// Creates a node that answers each request of a host; it answers the connection's first requests itself.
  ///
  /// - Parameters:
  ///   - environment: Where other processes find the node, with the name `fake`; `nil`: none does.
  ///   - features: The features of the node.
  ///   - answer: Returns the messages for any other request.
  package convenience init(
    in environment: ProcessEnvironment? = nil, features: [String] = [],
    answer: @escaping @Sendable (_ method: String, ReceivedMessage) -> [FakeMessage]
  ) throws {
    try self.init(in: environment, packets: .max) { _, asked, id in
      guard case .request(_, let method) = asked.kind else { return AnySequence([]) }
      let messages: [FakeMessage] =
        switch method {
        case Hello.method: [.response(Self.welcome(features))]
        case OpenPort.method: [.response(OpenPort.Response(port: Self.port))]
        case UninitializePort.method: [.response(Done())]
        default: answer(method, asked)
        }
      // Lazily, so that a message that is sent later does not delay the others.
      return AnySequence(messages.lazy.map { $0.packet(id) })
    }
  }

  package static let welcome = welcome([])

  private static func welcome(_ features: [String]) -> Hello.Response {
    Hello.Response(protocol: 2, features: features, peer: Peer(name: "fake", processID: -5))
  }

  /// - Parameters:
  ///   - count: The number of packets after which the node closes a connection.
  ///   - reply: Receives each packet with its index and ID, and returns the packets to send.
  private init(
    in environment: ProcessEnvironment? = nil, packets count: Int,
    reply:
      @escaping @Sendable (_ index: Int, ReceivedMessage, _ id: UInt32) -> AnySequence<[UInt8]>
  ) throws {
    entry = try environment.map { try RunningNode.claim("fake", in: NodeDirectories($0)) }
    socketPath =
      entry?.socketPath
      ?? FileManager.default.temporaryDirectory
      .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
    listener = try PacketListener(path: socketPath)
    try entry?.publish([Self.port])
    TestThread { [listener] in
      while let socket = try? listener.accept().get() {
        TestThread { Self.serve(socket, count, reply) }.detach()
      }
    }.detach()
  }

  private static func serve(
    _ socket: PacketSocket, _ count: Int,
    _ reply: (_ index: Int, ReceivedMessage, _ id: UInt32) -> AnySequence<[UInt8]>
  ) {
    for index in 0..<count {
      guard let packet = try? socket.receive(), let asked = try? ReceivedMessage(packet.bytes)
      else { return }
      let id: UInt32 = if case .request(let id, _) = asked.kind { id } else { 0 }
      for bytes in reply(index, asked, id) { try? socket.send(bytes) }
    }
    _ = socket.waitForPacket(milliseconds: 200)
  }

  deinit {
    listener.close()
    entry?.close()
    unlink(socketPath)
  }

  package func connect() throws -> Connection {
    try AudioHost(name: "Tester").connect(
      to: Self.port.component, ofNode: "fake", socketPath: socketPath)
  }

  /// Returns a reply with a response.
  package static func says(_ response: some Codable & Sendable) -> Reply {
    { id in [FakeMessage.response(response).packet(id)] }
  }
}

/// A message of a ``FakeNode``.
package enum FakeMessage: Sendable {
  case response(any Codable & Sendable)
  case error(ProtocolError)
  case notification(any NodeProtocol.Notification)
  case command(RemoteCommand)
  /// A notification that is sent later.
  case later(microseconds: UInt32, any NodeProtocol.Notification)

  /// - Parameter id: The ID of the host's request.
  package func packet(_ id: UInt32) -> [UInt8] {
    switch self {
    case .response(let response): return (try? MessageEncoder.response(response, id: id)) ?? []
    case .error(let error): return (try? MessageEncoder.error(error, id: id)) ?? []
    case .notification(let notification):
      return (try? MessageEncoder.notification(notification)) ?? []
    case .later(let microseconds, let notification):
      usleep(microseconds)
      return FakeMessage.notification(notification).packet(id)
    case .command(let command):
      return (try? MessageEncoder.request(TransportCommand(command), id: 0)) ?? []
    }
  }
}
