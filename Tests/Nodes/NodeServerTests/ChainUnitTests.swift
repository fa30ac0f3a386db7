import ConnectionTestSupport
import Foundation
import Glibc
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a node that is also a host: its port renders an instrument and an effect of two other servers.
@Suite(.timeLimit(.minutes(5))) struct ChainUnitTests {
  private let instruments: TestServer
  private let effects: ProbeServer
  private let front: TestServer
  private let component = probePort(9, type: .instrument).component

  init() throws {
    let instruments = try TestServer()
    let effects = try ProbeServer()
    self.instruments = instruments
    self.effects = effects
    front = try TestServer()
    let source = ChainSource { () throws(ConnectionError) in
      let host = AudioHost(name: "chain")
      return [
        try host.connect(
          to: pulses(), ofNode: "instruments", socketPath: instruments.socketPath),
        try host.connect(
          to: probePort().component, ofNode: "effects", socketPath: effects.test.socketPath),
      ]
    }
    try front.server.publish(probePort(9, type: .instrument), source)
  }

  private func running(_ format: Format = Format(maximumFrames: 256)) throws -> Connection {
    let connection = try front.connect(component)
    try connection.initialize(format, mode: .offline)
    return connection
  }

  @Test func `a note passes both nodes in one cycle, on its frame`() throws {
    let connection = try running()
    #expect(connection.schedule(note(60), at: 33) == .accepted)
    var transport = Transport()
    transport.beat = 7
    connection.setTransport(transport)
    let (status, left, right) = connection.rendered(100)
    #expect(status == .rendered)
    // The probe also receives the MIDI, and its pulse replaces the instrument's.
    #expect(pulsePositions(left) == [33: 1000])
    #expect(instruments.unit.messages.count == 1)
    #expect(right == [Float](repeating: 7, count: 100))
  }

  @Test func `the output of the first node is the input of the last`() throws {
    let connection = try running()
    // System Exclusive, for which the probe adds no pulse.
    let bytes: [UInt8] = [0xF0, 50, 0xF7]
    #expect(
      bytes.withUnsafeBufferPointer { connection.schedule(bytes: $0, at: 9) } == .accepted)
    #expect(connection.rendered(64).left[9] == 50)
  }

  @Test func `its latency is the sum of theirs, and follows changes`() throws {
    let connection = try running()
    // The latency of a pulse unit is 7 frames.
    #expect(connection.latency == 7)
    var state = try connection.saveState()
    var inner = try JSONDecoder().decode([UnitState?].self, from: Data(base64Encoded: state.data)!)
    inner[1]?.parameters["time.latency"] = 64
    state.data = try JSONEncoder().encode(inner).base64EncodedString()
    try connection.restoreState(state)
    #expect(eventually { connection.latency == 71 })
  }

  @Test func `very large latencies and tails are added without overflow`() throws {
    struct Endless: RenderUnitSource {
      func makeUnit(_ format: Format) throws -> any RenderUnit { EndlessUnit(format) }
    }
    let nodes = try TestServer()
    for number in 1...2 { try nodes.server.publish(probePort(number), Endless()) }
    try front.server.publish(
      probePort(8),
      ChainSource { () throws(ConnectionError) in
        let host = AudioHost(name: "chain")
        return try [1, 2].map { number throws(ConnectionError) in
          try host.connect(
            to: probePort(number).component, ofNode: "nodes", socketPath: nodes.socketPath)
        }
      })
    let connection = try front.connect(probePort(8).component)
    try connection.initialize(Format(inputChannels: 2, maximumFrames: 64), mode: .offline)
    #expect(connection.latency == Format.longestLatency)
    #expect(connection.tail == Int(Int32.max))
  }

  @Test func `the state of its nodes is part of its state`() throws {
    let connection = try running()
    let state = try connection.saveState()
    #expect(!state.data.isEmpty)
    try connection.restoreState(state)
    var broken = state
    broken.data = "AAAA"
    #expect(
      failure { try connection.restoreState(broken) }?.description.contains(
        "it must be the state of a chain of 2 nodes") == true)
  }

  @Test func `if one of its nodes ends, it is silent and does not wait`() throws {
    let connection = try running()
    instruments.server.stop()
    #expect(
      eventually { front.server.report.ports.last?.rendering?.unit.last?.value == 1 })
    _ = connection.schedule(note(60), at: 3)
    let (status, left, right) = connection.rendered(64)
    #expect(status == .rendered)
    #expect(left == [Float](repeating: 0, count: 64))
    // The effect continues.
    #expect(right == [Float](repeating: -1, count: 64))
  }

  @Test func `notes end: what its first node has sent ends when that node does`() throws {
    let echo = try TestServer()
    try echo.server.publish(pulsePort(2), EchoSource())
    try front.server.publish(
      probePort(8),
      ChainSource { () throws(ConnectionError) in
        [
          try AudioHost(name: "chain").connect(
            to: pulses(2), ofNode: "echo", socketPath: echo.socketPath)
        ]
      })
    let connection = try front.connect(probePort(8).component)
    try connection.initialize(Format(inputChannels: 2, maximumFrames: 64), mode: .offline)
    #expect(connection.schedule(note(60), at: 9) == .accepted)
    let bend = ChannelMessage(.pitchBend, channel: 0, 0, 127)
    #expect(connection.schedule(bend, at: 10) == .accepted)
    _ = connection.rendered(64)
    #expect(
      connection.received
        == [ReceivedEvent(9, [0x90, 72, 100]), ReceivedEvent(10, [0xE0, 0, 127])])
    _ = connection.rendered(64)
    #expect(connection.received.isEmpty)
    echo.server.stop()
    let isReleased = eventually {
      _ = connection.rendered(64)
      return connection.received
        == [ReceivedEvent(0, [0x80, 72, 64]), ReceivedEvent(0, [0xE0, 0, 64])]
    }
    #expect(isReleased)
    _ = connection.rendered(64)
    #expect(connection.received.isEmpty)
  }

  @Test func `if one of its nodes hangs, it is silent in time, and its host is not late`()
    throws
  {
    let connection = try front.connect(component)
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 8192), mode: .realtime)
    #expect(eventually { connection.rendered(8192).status == .rendered })
    instruments.unit.close()
    _ = connection.schedule(note(60), at: 3)
    // One of these cycles is in time even on a busy machine, long before the host gives up the node.
    let isInTime = (0..<25).contains { _ in
      let (status, left, _) = connection.rendered(8192)
      return status == .rendered && left.allSatisfy { $0 == 0 || $0 == 1000 }
    }
    #expect(isInTime)
    instruments.unit.open()
  }

  @Test func `an unavailable node is named to the host`() throws {
    effects.test.server.stop()
    #expect(
      failure { _ = try running() }?.description
        == "Test: Probe 9 cannot be played: the node 'effects' is not running: start it, then connect again"
    )
  }

  @Test func `its nodes are released with it`() throws {
    let connection = try running()
    #expect(instruments.port.host != nil && effects.port.host != nil)
    connection.close()
    #expect(eventually { instruments.port.host == nil && effects.port.host == nil })
  }
}

/// A unit with the greatest latency and tail that `Int` can hold.
private final class EndlessUnit: RenderUnit {
  private let probe: ProbeUnit

  init(_ format: Format) { probe = ProbeUnit(format) }

  var renderer: Renderer { probe.renderer }
  var latency: Int { Format.longestLatency }
  var tail: Int? { Int(Int32.max) }
}
