import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NodeServerTests {
  @Test func `a published port can be opened immediately`() throws {
    let server = try TestServer()
    let port = try server.server.publish(pulsePort(1), server.source)
    #expect(server.server.ports.map(\.description) == [pulsePort(0), pulsePort(1)])
    let connection = try server.connect(pulses(1))
    #expect(port.host?.name == "Tester")
    #expect(connection.port == port.description)
  }

  @Test func `withdrawing a port ends only its connection`() throws {
    let server = try TestServer()
    try server.server.publish(pulsePort(1), server.source)
    let connection = try server.running()
    let neighbour = try server.connect(pulses(1))
    try neighbour.initialize(Format(maximumFrames: 64), mode: .offline)
    server.server.withdraw(server.port)
    #expect(eventually { connection.status == .lost(.portRemoved) })
    #expect(connection.rendered(64).status == .connectionLost)
    #expect(neighbour.rendered(64).status == .rendered)
    #expect(throws: ConnectionError.self) { try server.connect() }
    #expect(eventually { server.port.host == nil })
  }

  @Test func `a port that is withdrawn while hosts open it has no host afterwards`() throws {
    let server = try TestServer()
    for number in 1...30 {
      let port = try server.server.publish(pulsePort(number), server.source)
      let taker = TestThread {
        let connection = try? server.connect(pulses(number))
        if let connection { _ = eventually { connection.status == .lost(.portRemoved) } }
      }
      server.server.withdraw(port)
      taker.join()
      #expect(eventually { port.host == nil })
    }
  }

  @Test func `stopping ends every connection, and no host is accepted`() throws {
    let server = try TestServer()
    let connection = try server.running()
    server.server.stop()
    #expect(eventually { connection.status == .lost(.portRemoved) })
    #expect(throws: ConnectionError.self) { try server.connect() }
    #expect(server.server.ports.isEmpty)
    server.server.stop()
  }

  @Test func `a port is free after a unit that hangs has been detected`() throws {
    let server = try TestServer()
    var units: [PulseUnit] = []
    for _ in 0..<3 {
      let connection = try server.connect()
      try connection.initialize(Format(maximumFrames: 64))
      units.append(server.unit)
      server.unit.close()
      _ = connection.rendered(64)
      connection.close()
    }
    let connection = try server.running()
    #expect(connection.rendered(64).status == .rendered)
    for unit in units { unit.open() }
  }

  @Test func `a host that closes while its unit is made does not delay others`() throws {
    let gate = Flag()
    let making = Flag()
    let server = try TestServer(
      PulseSource(delay: {
        if making.isRaised { return }
        making.raise()
        _ = eventually { gate.isRaised }
      }))
    let first = try server.connect()
    let initializer = TestThread { try? first.initialize(Format()) }
    #expect(eventually { making.isRaised })
    first.close()
    initializer.join()
    let second = try server.connect()
    try second.initialize(Format(), mode: .offline)
    #expect(second.rendered(64).status == .rendered)
    gate.raise()
  }

  @Test func `every event of the server is described`() throws {
    let server = try TestServer()
    let connection = try server.running(Format(), .realtime)
    server.clock.advance(seconds: 2)
    #expect(eventually { server.log.contains("parked") })
    connection.close()
    #expect(eventually { server.log.contains("left by Tester") })
    #expect(
      server.log.lines.map { $0.prefix { $0 != "(" } } == [
        "Test: Pulses 0: taken by Tester ",
        "Test: Pulses 0: initialized, 48000 Hz, up to 1024 frames, ordinary priority, as its host",
        "Test: Pulses 0: parked because the host stopped rendering",
        "Test: Pulses 0: left by Tester ",
      ])
  }
}
