import Components
import HostConnection
import NodeHost
import RenderCore
import Testing

/// What a host makes of a node that answers what it should not.
@Suite struct AudioHostTests {
  private static let port = try! PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("fake"), manufacturer: FourCharacterCode("Test")
    ), name: "Test: Fake", version: SemanticVersion("1.0.0"))
  private static let welcome = FakeNode.says(
    .welcome(protocol: 1, node: Peer(name: "fake", processID: -5)))
  private static let opened = FakeNode.says(.opened(port: port))

  @Test(
    arguments: [
      [], [0], Array("nonsense".utf8), Array(repeating: 0x5B, count: 60_000),
      Array(#"{"id": 1, "message": {"dance": {}}}"#.utf8),
    ] as [[UInt8]])
  func `bytes that are no message end the connection`(bytes: [UInt8]) throws {
    let node = try FakeNode([{ _ in [bytes] }])
    let error = failure { _ = try connect(node) }
    // A packet of nothing is how a socket says that the peer is gone.
    #expect(error == .connectionLost(bytes.isEmpty ? .nodeEnded : .nonsense))
  }

  @Test(
    arguments: [.uninitialized, .opened(port: port), .initialized(latency: 5)] as [NodeMessage])
  func `an answer to what was not asked ends the connection`(message: NodeMessage) throws {
    let node = try FakeNode([FakeNode.says(message)])
    #expect(failure { _ = try connect(node) } == .connectionLost(.nonsense))
  }

  @Test func `answers to other questions, and unasked ones, are passed over`() throws {
    let node = try FakeNode([
      { id in
        [
          FakeNode.message(.uninitialized, id: id + 7), FakeNode.message(.uninitialized, id: 0),
          FakeNode.message(.parked(reason: .late), id: 0), Self.welcome(id)[0],
          FakeNode.message(.uninitialized, id: id),
        ]
      }, Self.opened, { _ in [] },
    ])
    let connection = try connect(node)
    #expect(connection.status == .open)
    // The kernel knows who it is.
    #expect(connection.node.processID > 0)
  }

  @Test func `a refusal that nobody asked for is why the connection ended`() throws {
    let refusal = Refusal(.stranger, "not you")
    let node = try FakeNode([{ _ in [FakeNode.message(.refused(refusal), id: 0)] }])
    #expect(failure { _ = try connect(node) } == .refused(refusal))
  }

  @Test func `a latency of less than nothing is none`() throws {
    let node = try FakeNode([
      Self.welcome, Self.opened, { _ in [] }, FakeNode.says(.initialized(latency: -9)),
    ])
    let connection = try connect(node)
    try connection.initialize(Format(maximumFrames: 64))
    #expect(connection.latency == 0)
  }

  @Test func `a report without end is no report`() throws {
    let part = NodeReport(node: Peer(name: "fake", processID: 1), ports: [])
    let node = try FakeNode([Self.welcome, FakeNode.says(.report(part, count: .max))])
    let report = try AudioHost(name: "x").report(ofNode: "fake", socketPath: node.socketPath)
    #expect(report.ports.isEmpty)
  }

  private func connect(_ node: FakeNode) throws -> Connection {
    try AudioHost(name: "Tester").connect(
      to: Self.port.component, ofNode: "fake", socketPath: node.socketPath)
  }

  private func failure(_ body: () throws -> Void) -> ConnectionError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ConnectionError
    }
  }
}
