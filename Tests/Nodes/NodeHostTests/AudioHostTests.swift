import ConnectionTestSupport
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import Testing

/// Tests of hosts whose node sends invalid answers.
@Suite(.timeLimit(.minutes(5))) struct AudioHostTests {
  private static let welcome = FakeNode.says(FakeNode.welcome)
  private static let opened = FakeNode.says(OpenPort.Response(port: FakeNode.port))

  @Test(
    arguments: [
      [], [0], Array("nonsense".utf8), Array(repeating: 0x5B, count: 60_000),
      Array(#"{"id": 1, "answer": {"dance": {}}}"#.utf8),
    ] as [[UInt8]])
  func `bytes that are not a message end the connection`(bytes: [UInt8]) throws {
    let node = try FakeNode([{ _ in [bytes] }])
    let error = failure { _ = try node.connect() }
    // A socket reports the end of the peer as an empty packet.
    if bytes.isEmpty {
      #expect(error == .connectionLost(.nodeEnded))
    } else {
      let message = try #require(error?.invalidMessage)
      #expect(message.node == "fake" && message.processID == getpid())
    }
  }

  @Test(
    arguments: [Done(), OpenPort.Response(port: FakeNode.port), UnitProperties(latency: 5)]
      as [any Codable & Sendable])
  func `an answer to another request ends the connection`(response: any Codable & Sendable) throws {
    let node = try FakeNode([FakeNode.says(response)])
    let message = try #require(failure { _ = try node.connect() }?.invalidMessage)
    #expect(message.method == Hello.method && message.isAnswer)
    #expect(message.field == "result.protocol")
  }

  @Test func `late and unrequested answers are skipped`() throws {
    let node = try FakeNode([
      { id in
        [
          FakeMessage.response(Done()).packet(id + 7), FakeMessage.response(Done()).packet(0),
          FakeMessage.notification(PortParked(reason: .late)).packet(id), Self.welcome(id)[0],
          FakeMessage.response(Done()).packet(id),
        ]
      }, Self.opened, { _ in [] },
    ])
    let connection = try node.connect()
    #expect(connection.status == .open)
    // The host takes the process ID from the kernel, not from the message.
    #expect(connection.node.processID > 0)
  }

  @Test func `an unrequested refusal is the reason for the end of the connection`() throws {
    let refusal = ProtocolError(.wrongUser, "not you")
    let node = try FakeNode([{ _ in [(try? MessageEncoder.error(refusal, id: nil)) ?? []] }])
    #expect(failure { _ = try node.connect() } == .refused(refusal))
  }

  @Test func `a report that ends early is an error with its field`() throws {
    let part = NodeReport(node: Peer(name: "fake", processID: 1), ports: [])
    let node = try FakeNode([Self.welcome, FakeNode.says(GetReport.Response(part, total: .max))])
    let error = failure {
      _ = try AudioHost(name: "x").report(ofNode: "fake", socketPath: node.socketPath)
    }
    #expect(error?.invalidMessage?.field == "result.items")
  }

  @Test func `a report with endless ports ends the connection`() throws {
    let peer = Peer(name: "fake", processID: 1)
    let part = NodeReport(
      node: peer, ports: [PortReport(port: FakeNode.port, host: nil, rendering: nil)])
    let node = try FakeNode { _, _ in [.response(GetReport.Response(part, total: .max))] }
    let error = failure {
      _ = try AudioHost(name: "x").report(ofNode: "fake", socketPath: node.socketPath)
    }
    #expect(error?.invalidMessage?.field == "result.total")
  }
}
