import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a host that does not render and of a late node, and of the recovery of both.
@Suite(.timeLimit(.minutes(5))) struct ParkingTests {
  @Test func `a host that does not render is parked, and may initialize again`() throws {
    let server = try TestServer()
    let connection = try server.running(Format(maximumFrames: 64), .realtime)
    server.clock.advance(seconds: 2)
    #expect(eventually { connection.status == .parked(.notRendered) })
    #expect(server.port.format == nil)
    #expect(server.port.host != nil)
    #expect(server.log.contains("parked because the host stopped rendering"))
    let (status, left, _) = connection.rendered(64)
    #expect(status == .parked)
    #expect(left == [Float](repeating: 0, count: 64))
    #expect(connection.schedule(note(1), at: 0) == .notRunning)
    try connection.initialize(Format(maximumFrames: 64))
    #expect(eventually { connection.rendered(64).status == .rendered })
  }

  @Test func `a host that renders is not parked`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 64))
    for _ in 0..<20 {
      #expect(eventually { connection.rendered(64).status == .rendered })
      server.clock.advance(seconds: 1.9)
      // The node looks at the clock before it answers.
      _ = try connection.presets()
    }
    #expect(connection.status.description.hasPrefix("48000 Hz"))
  }

  @Test func `an offline host may take its time, even if it speaks meanwhile`() throws {
    let server = try TestServer()
    let host = AudioHost(name: "Tester")
    let connection = try server.connect(from: host)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    try server.server.publish(pulsePort(1), server.source)
    for _ in 0..<4 {
      server.clock.advance(seconds: 10)
      // Each connection that opens or closes is reported to the peers.
      try server.connect(pulses(1), from: host).close()
      _ = try connection.presets()
    }
    #expect(connection.status == .initialized(Format(maximumFrames: 64)))
    #expect(connection.rendered(64).status == .rendered)
  }

  @Test func `a unit that is slow is not taken for a host that does not render`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 64))
    server.unit.close()
    _ = connection.rendered(64)
    #expect(eventually { server.unit.cycles == 1 })
    server.clock.advance(seconds: 10)
    _ = try connection.presets()
    #expect(connection.status == .initialized(Format(maximumFrames: 64)))
    server.unit.open()
    #expect(eventually { connection.rendered(64).status == .rendered })
  }

  @Test func `a node late too often is parked, hears of it, and is initialized again`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = 5
    let changes = Log()
    connection.onChange = { changes.add("\($0)") }
    for round in 1...3 {
      try connection.initialize(Format(maximumFrames: 64))
      let unit = server.unit
      unit.close()
      var statuses: [RenderStatus] = []
      for _ in 0..<7 { statuses.append(connection.rendered(64).status) }
      #expect(statuses == [.late, .late, .late, .late, .late, .parked, .parked])
      #expect(connection.status == .parked(.late))
      #expect(connection.statistics.lateCycles == 5)
      // The hung thread is abandoned; its unit is freed when it returns.
      #expect(eventually { server.port.format == nil })
      #expect(eventually { changes.lines.count == round })
      #expect(server.log.lines.filter { $0.contains("its unit hangs") }.count == round)
      unit.open()
    }
    #expect(
      changes.lines.allSatisfy { $0 == "parked: the node missed too many consecutive cycles" })
  }

  @Test func `a parked connection may be initialized again at once, before anybody has heard`()
    throws
  {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = 1
    for _ in 0..<20 {
      try connection.initialize(Format(maximumFrames: 64))
      let unit = server.unit
      unit.close()
      #expect(connection.rendered(64).status == .late)
      #expect(connection.status == .parked(.late))
      unit.open()
      try connection.initialize(Format(maximumFrames: 64), mode: .offline)
      // A message about the previous initialization does not park this one.
      for _ in 0..<5 { #expect(connection.rendered(64).status == .rendered) }
      connection.uninitialize()
    }
  }

  @Test func `a host may initialize again when it hears that it is parked`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let changes = Log()
    connection.onChange = { [weak connection] status in
      changes.add("\(status)")
      if changes.lines.count == 1 { try? connection?.initialize(Format(), mode: .offline) }
    }
    try connection.initialize(Format())
    server.clock.advance(seconds: 2)
    #expect(eventually { connection.status == .initialized(Format()) && changes.lines.count == 1 })
    #expect(connection.rendered(64).status == .rendered)
  }

  @Test func `uninitializing a parked connection is heard by the node`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = 1
    try connection.initialize(Format(maximumFrames: 64))
    let unit = server.unit
    unit.close()
    _ = connection.rendered(64)
    unit.open()
    connection.uninitialize()
    #expect(connection.status == .open)
    #expect(eventually { server.port.format == nil })
  }
}
