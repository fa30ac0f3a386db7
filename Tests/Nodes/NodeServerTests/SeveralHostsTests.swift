import ConnectionTestSupport
import LiveMIDI
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a port that several hosts have at the same time.
@Suite(.timeLimit(.minutes(5))) struct SeveralHostsTests {
  private let keyboard = LiveInput.Source(1)

  @Test func `each host has a unit of its own`() throws {
    let server = try TestServer(maximumHosts: 3)
    let connections = try (0..<3).map { _ in try server.running() }
    for (key, connection) in zip(UInt8(60)..., connections) {
      #expect(connection.schedule(note(key), at: 5) == .accepted)
    }
    for (key, connection) in zip(UInt8(60)..., connections) {
      let output = StereoOutput(frames: 256)
      #expect(connection.render(frames: 256, into: output.pointers) == .rendered)
      #expect(output.left[5] == Float(key))
    }
    #expect(server.source.units.map { $0.messages.count } == [1, 1, 1])
  }

  @Test func `a port without a limit has as many hosts as a large session needs`() throws {
    let server = try TestServer(maximumHosts: .max)
    let connections = try (0..<100).map { _ in try server.running() }
    for (index, connection) in connections.enumerated() {
      #expect(connection.schedule(note(UInt8(index)), at: 5) == .accepted)
      let output = StereoOutput(frames: 256)
      #expect(connection.render(frames: 256, into: output.pointers) == .rendered)
      #expect(output.left[5] == Float(index))
    }
  }

  @Test func `each host has its own format, and plays on when another ends`() throws {
    let server = try TestServer(maximumHosts: 2)
    let (first, second) = (try server.connect(), try server.connect())
    try first.initialize(Format(sampleRate: 48_000, maximumFrames: 64), mode: .offline)
    try second.initialize(Format(sampleRate: 44_100, maximumFrames: 512), mode: .offline)
    #expect(server.source.units.map(\.format.sampleRate) == [48_000, 44_100])
    #expect(server.log.contains("initialized, 44100 Hz, up to 512 frames"))
    first.uninitialize()
    #expect(second.isRendered(within: .max))
    second.close()
    #expect(first.status == .open)
  }

  @Test func `one host more than allowed is refused, and accepted when another has left`() throws {
    let server = try TestServer(maximumHosts: 2)
    let first = try server.connect(from: AudioHost(name: "First"))
    let second = try server.connect(from: AudioHost(name: "Second"))
    let error = #expect(throws: ConnectionError.self) { try server.connect() }
    guard case .refused(let refusal) = error else { return #expect(Bool(false)) }
    #expect(refusal.code == .portInUse)
    #expect(refusal.message.contains("in use by 2 hosts, its limit; the first is First (process "))
    first.close()
    let third = try server.connect(from: AudioHost(name: "Third"))
    #expect(server.port.hosts.map(\.name) == ["Second", "Third"])
    #expect([second, third].allSatisfy { $0.status == .open })
  }

  @Test func `the report and the port's properties are those of the first host, with the number`()
    throws
  {
    let server = try TestServer(maximumHosts: 4)
    let first = try server.connect(from: AudioHost(name: "First"))
    #expect(server.port.report.host?.name == "First")
    #expect(server.port.report.hostCount == nil)
    let second = try server.connect(from: AudioHost(name: "Second"))
    try second.initialize(Format(sampleRate: 44_100), mode: .offline)
    #expect(server.port.report.hostCount == 2)
    #expect(server.port.format == nil)
    #expect(server.port.report.rendering == nil)
    first.close()
    #expect(eventually { server.port.report.hostCount == nil })
    #expect(server.port.report.host?.name == "Second")
    #expect(server.port.format?.sampleRate == 44_100)
  }

  @Test func `a keyboard plays the unit of one host, and of the next when that one has left`()
    throws
  {
    let server = try TestServer(maximumHosts: 2)
    let format = Format(maximumFrames: 256)
    let connections = try (0..<2).map { _ in
      let connection = try server.connect()
      connection.lateLimit = .max
      try connection.initialize(format, mode: .realtime)
      return connection
    }
    #expect(connections.allSatisfy { $0.isRendered(within: .max) })
    server.port.input.send(.channel(note(72)), from: keyboard, at: 1)
    #expect(connections.allSatisfy { $0.isRendered(within: .max) })
    #expect(server.source.units.map { $0.messages.count } == [1, 0])
    connections[0].close()
    #expect(eventually { server.port.hosts.count == 1 })
    server.port.input.send(.channel(note(74)), from: keyboard, at: 1)
    #expect(connections[1].isRendered(within: .max))
    #expect(server.source.units.map { $0.messages.count }[1] == 1)
  }

  @Test func `all hosts lose the connection when the port is withdrawn`() throws {
    let server = try TestServer(maximumHosts: 3)
    let connections = try (0..<3).map { _ in try server.running() }
    server.server.withdraw(server.port)
    #expect(eventually { connections.allSatisfy { $0.status == .lost(.portRemoved) } })
  }

  @Test func `a host that stops rendering is parked, and the others play on`() throws {
    let server = try TestServer(maximumHosts: 2)
    let idle = try server.running(Format(maximumFrames: 256), .realtime)
    let active = try server.running()
    server.clock.advance(seconds: 1)
    #expect(active.isRendered(within: .max))
    server.clock.advance(seconds: 2)
    #expect(eventually { idle.status == .parked(.notRendered) })
    #expect(active.isRendered(within: .max))
  }
}
