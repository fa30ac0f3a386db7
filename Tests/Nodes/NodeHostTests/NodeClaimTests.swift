import ConnectionTestSupport
import Foundation
import NodeProtocol
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import NodeHost

/// Tests of hosts whose node claims what cannot be true.
@Suite(.timeLimit(.minutes(5))) struct NodeClaimTests {
  /// Latencies: 10 000 s at 48 kHz; more than any type of the host; below 0.
  private static let latencies = [480_000_000, 1 << 62, -5, Int.min, .max]

  @Test(arguments: latencies)
  func `a latency out of range is an error that names node, process and field`(frames: Int) throws {
    let node = try FakeNode { _, _ in [.response(UnitProperties(latency: frames))] }
    let connection = try node.connect()
    let error = failure { try connection.initialize(Format(maximumFrames: 64)) }
    #expect(
      error?.description
        == "the node 'fake' (process \(getpid())) sent an invalid answer to 'initialize': "
        + "'result.latency' must be from 0 to 1920000, but is \(frames); end the node, and use "
        + "another version of it")
    // Every further call gives the same reason.
    #expect(failure { _ = try connection.presets() } == error)
    #expect(connection.status == .lost(.protocolViolation))
  }

  @Test(arguments: [0, 1, 1_920_000]) func `a possible latency is believed`(frames: Int) throws {
    let node = try FakeNode { _, _ in [.response(UnitProperties(latency: frames, tail: frames))] }
    let connection = try node.connect()
    try connection.initialize(Format(maximumFrames: 64))
    #expect(connection.latency == frames && connection.tail == frames)
  }

  @Test(arguments: latencies)
  func `a changed latency out of range ends the connection with its field`(frames: Int) throws {
    let node = try FakeNode { _, _ in
      [.notification(TimingChanged(latency: frames, tail: nil)), .response(Done())]
    }
    let connection = try node.connect()
    let message = try #require(failure { try connection.usePreset(0) }?.invalidMessage)
    #expect(message.method == TimingChanged.method && !message.isAnswer)
    #expect(message.field == "params.latency")
    #expect(connection.latency == 0)
  }

  @Test(arguments: [-1, 1 << 40]) func `a tail out of range is an error`(frames: Int) throws {
    let node = try FakeNode { _, _ in [.response(UnitProperties(latency: 0, tail: frames))] }
    let connection = try node.connect()
    let error = failure { try connection.initialize(Format(maximumFrames: 64)) }
    #expect(error?.invalidMessage?.field == "result.tail")
  }

  @Test(arguments: [-1, 0, 1, 3, Int.max])
  func `a version that was not offered is an error`(version: Int) throws {
    let peer = Peer(name: "fake", processID: 1)
    let node = try FakeNode([FakeNode.says(Hello.Response(protocol: version, peer: peer))])
    let message = try #require(failure { _ = try node.connect() }?.invalidMessage)
    #expect(message.field == "result.protocol")
    #expect(message.node == "fake" && message.processID == getpid())
  }

  @Test func `a feature that was not offered is not used`() throws {
    let peer = Peer(name: "fake", processID: 1)
    let hello = Hello.Response(protocol: 2, features: ["files", "magic"], peer: peer)
    let node = try FakeNode([FakeNode.says(hello)])
    let link = try AudioHost(name: "x").openLink("fake", node.socketPath)
    defer { link.close() }
    #expect(link.features.withLock { $0 } == ["files"])
  }

  private static func other() throws -> PortDescription {
    try PortDescription(
      component: ComponentDescription(
        type: .effect, subtype: FourCharacterCode("fake"), manufacturer: FourCharacterCode("Test")),
      name: "Test: Other", version: SemanticVersion("1.0.0"))
  }

  @Test func `another port than the opened one is an error`() throws {
    let node = try FakeNode([
      FakeNode.says(FakeNode.welcome),
      FakeNode.says(OpenPort.Response(port: try Self.other())),
    ])
    let message = try #require(failure { _ = try node.connect() }?.invalidMessage)
    #expect(message.method == OpenPort.method && message.field == "result.port")
  }

  @Test func `another port than the described one, or one with false properties, is an error`()
    throws
  {
    func describe(_ response: DescribePort.Response) throws -> InvalidMessage? {
      let node = try FakeNode([FakeNode.says(FakeNode.welcome), FakeNode.says(response)])
      return failure {
        _ = try AudioHost(name: "x").details(
          of: FakeNode.port.component, ofNode: "fake", socketPath: node.socketPath)
      }?.invalidMessage
    }
    let (port, unit) = (FakeNode.port, UnitProperties(latency: 0))
    #expect(try describe(.init(port: Self.other(), unit: unit))?.field == "result.port")
    let late = UnitProperties(latency: -5)
    #expect(try describe(.init(port: port, unit: late))?.field == "result.unit.latency")
    let many = UnitProperties(latency: 0, parameterCount: 1 << 40)
    #expect(try describe(.init(port: port, unit: many))?.field == "result.unit.parameterCount")
  }

  @Test func `a figure of a report that is out of range is an error`() throws {
    func report(_ change: (inout PortReport) -> Void) throws -> String? {
      var port = PortReport(port: FakeNode.port, host: nil, rendering: nil)
      change(&port)
      let whole = NodeReport(node: Peer(name: "fake", processID: 1), ports: [port])
      let node = try FakeNode([
        FakeNode.says(FakeNode.welcome), FakeNode.says(GetReport.Response(whole, total: 1)),
      ])
      return failure {
        _ = try AudioHost(name: "x").report(ofNode: "fake", socketPath: node.socketPath)
      }?.invalidMessage?.field
    }
    let peer = Peer(name: "host", processID: 2)
    #expect(try report { $0.hostCount = 2 } == nil)
    #expect(try report { $0.hostCount = 1 } == "result.items[0].hostCount")
    #expect(
      try report { $0.host = Peer(name: String(repeating: "x", count: 256), processID: 1) }
        == "result.items[0].host.name")
    #expect(
      try report { $0.roundTrips = [.init(host: peer, median: -1, longest: 2)] }
        == "result.items[0].roundTrips[0].median")
    let trip = PortReport.RoundTrips(host: peer, median: 1, longest: 2)
    #expect(
      try report { $0.roundTrips = Array(repeating: trip, count: 17) }
        == "result.items[0].roundTrips")
  }

  /// Every limit of the table refuses the nearest number beyond it, and accepts those within.
  @Test func `every number has the limits of the schema`() {
    for (_, limits, fields) in MessageLimits.numbers {
      for limit in [limits.minimum, limits.maximum].compactMap(\.self) {
        #expect(limits.contains(limit), "\(fields)")
      }
      if let minimum = limits.minimum { #expect(!limits.contains(minimum - 1), "\(fields)") }
      if let maximum = limits.maximum { #expect(!limits.contains(maximum + 1), "\(fields)") }
      if let above = limits.above { #expect(!limits.contains(above), "\(fields)") }
      if let below = limits.below { #expect(!limits.contains(below), "\(fields)") }
      #expect(!limits.contains(.nan) || "\(limits)" == "a number")
    }
  }
}
