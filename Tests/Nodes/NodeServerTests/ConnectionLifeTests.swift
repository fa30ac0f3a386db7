import ConnectionTestSupport
import Glibc
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of connecting, initializing, parking and closing: their effects, and what others observe.
@Suite(.timeLimit(.minutes(5))) struct ConnectionLifeTests {
  @Test func `each side knows the other`() throws {
    let server = try TestServer()
    #expect(server.port.host == nil)
    let host = AudioHost(name: "Sequencer", icon: "/icon.png", url: "https://example.org")
    let connection = try server.connect(from: host)
    #expect(connection.node == Peer(name: "test", processID: getpid()))
    #expect(connection.port == pulsePort())
    #expect(connection.status == .open)
    #expect(server.port.host == host.peer)
    #expect(server.port.format == nil)
  }

  @Test func `is initialized, uninitialized, and initialized at another rate`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    for format in [
      Format(sampleRate: 8000, outputChannels: 1, maximumFrames: 1), Format(), Format(),
    ] {
      try connection.initialize(format, mode: .offline)
      #expect(connection.status == .initialized(format))
      #expect(connection.latency == 7)
      #expect(server.port.format == format)
      #expect(server.unit.format == format)
      #expect(connection.schedule(note(9), at: 0) == .accepted)
      // The events of one initialization do not carry over to the next.
      #expect(connection.schedule(note(9), at: 5000) == .accepted)
      let output = StereoOutput(frames: 1)
      #expect(connection.render(frames: 1, into: output.pointers) == .rendered)
      #expect(output.left == [9])
      connection.uninitialize()
      #expect(connection.status == .open)
      #expect(server.port.format == nil)
      #expect(connection.schedule(note(9), at: 0) == .notRunning)
      #expect(connection.render(frames: 1, into: output.pointers) == .notInitialized)
      #expect(connection.output(channel: 0) == nil)
    }
    #expect(server.source.units.map { $0.messages.count } == [1, 1, 1])
  }

  @Test func `a format out of range, or that the node cannot follow, is refused with what it can`()
    throws
  {
    let server = try TestServer()
    let connection = try server.connect()
    let tooMany = FormatError(field: "outputChannels", value: 65, allowed: 1...64)
    #expect(failure { try connection.initialize(Format(outputChannels: 65)) } == .format(tooMany))
    let error = failure { try connection.initialize(Format(sampleRate: 192_000)) }
    #expect(error?.description.contains("8000 to 96000, but is 192000") == true)
    #expect(connection.status == .open)
    try connection.initialize(Format())
    #expect(failure { try connection.initialize(Format()) } == .alreadyInitialized)
    #expect(connection.status == .initialized(Format()))
  }

  @Test func `a port is free for the next host as soon as the last has closed it`() throws {
    let server = try TestServer()
    for round in 0..<100 {
      let connection = try server.connect()
      if round % 2 == 0 { try connection.initialize(Format(), mode: .offline) }
      connection.close()
      #expect(connection.status == .lost(.closed))
    }
  }

  @Test func `dropping a connection gives the port back`() throws {
    let server = try TestServer()
    for _ in 0..<20 { _ = try server.running() }
    #expect(eventually { server.port.host == nil })
  }

  @Test func `a busy port is refused with the name of who has it`() throws {
    let server = try TestServer()
    let holder = try server.connect(from: AudioHost(name: "First"))
    let error = #expect(throws: ConnectionError.self) { try server.connect() }
    guard case .refused(let refusal) = error else { return #expect(Bool(false)) }
    #expect(refusal.code == .portInUse)
    #expect(refusal.message.contains("in use by First (process \(getpid()))"))
    #expect(holder.status == .open)
  }

  @Test func `a port that is not there is refused with those that are`() throws {
    let server = try TestServer()
    let error = #expect(throws: ConnectionError.self) { try server.connect(pulses(7)) }
    #expect(error?.description.contains("'instrument 1007 Test'") == true)
    #expect(error?.description.contains("instrument 1000 Test") == true)
  }

  @Test func `a node that does not run is an error of its own`() {
    let error = #expect(throws: ConnectionError.self) {
      try AudioHost(name: "x").connect(to: pulses(), ofNode: "gone", socketPath: "/nowhere/at/all")
    }
    #expect(error == .notRunning(node: "gone"))
  }

  @Test func `what is closed stays closed, and says so at once`() throws {
    let server = try TestServer()
    let connection = try server.running()
    connection.close()
    for _ in 0..<3 {
      #expect(connection.schedule(note(1), at: 0) == .notRunning)
      let (status, left, _) = connection.rendered(64)
      #expect(status == .connectionLost)
      #expect(left == [Float](repeating: 0, count: 64))
      #expect(failure { try connection.initialize(Format()) } == .connectionLost(.closed))
      connection.close()
      #expect(connection.status == .lost(.closed))
    }
    connection.uninitialize()
    #expect(connection.status == .lost(.closed))
    #expect(connection.output(channel: 0) == nil)
    let output = StereoOutput(frames: 1)
    #expect(connection.render(frames: 1, into: output.pointers) == .connectionLost)
  }

  @Test func `closing on another thread ends the wait of an offline host`() throws {
    let server = try TestServer()
    for _ in 0..<20 {
      let connection = try server.running()
      let unit = server.unit
      unit.close()
      let closer = TestThread {
        _ = eventually { unit.cycles > 0 }
        connection.close()
      }
      #expect(connection.rendered(64).status == .connectionLost)
      closer.join()
      unit.open()
    }
  }

  @Test func `closing on another thread ends a request`() throws {
    let (isAsked, isOver) = (Flag(), Flag())
    let server = try TestServer(
      PulseSource(delay: {
        isAsked.raise()
        _ = eventually { isOver.isRaised }
      }))
    let connection = try server.connect()
    let closer = TestThread {
      _ = eventually { isAsked.isRaised }
      connection.close()
    }
    #expect(failure { try connection.initialize(Format()) } == .connectionLost(.closed))
    closer.join()
    #expect(eventually { server.port.host == nil })
    isOver.raise()
  }

  @Test func `siblings are told of each other, and of each that leaves`() throws {
    let server = try TestServer()
    let ports =
      try [server.port] + (1...2).map { try server.server.publish(pulsePort($0), server.source) }
    let host = AudioHost(name: "Tester")
    var connections = try (0...2).map { try server.connect(pulses($0), from: host) }
    try server.server.publish(pulsePort(3), server.source)
    let other = try server.connect(pulses(3))
    #expect(
      eventually {
        ports.map { $0.peerNodes.sorted() } == [
          ["Test: Pulses 1", "Test: Pulses 2"], ["Test: Pulses 0", "Test: Pulses 2"],
          ["Test: Pulses 0", "Test: Pulses 1"],
        ]
      })
    connections.remove(at: 1).close()
    #expect(eventually { ports[0].peerNodes == ["Test: Pulses 2"] })
    #expect(eventually { ports[2].peerNodes == ["Test: Pulses 0"] })
    #expect(eventually { ports[1].peerNodes == [] })
    #expect(other.status == .open)
  }

  @Test func `siblings that come and go on many threads leave nobody behind`() throws {
    let server = try TestServer()
    for number in 1...4 { try server.server.publish(pulsePort(number), server.source) }
    let host = AudioHost(name: "Tester")
    let threads = (1...4).map { number in
      TestThread {
        for _ in 0..<25 { try? server.connect(pulses(number), from: host).close() }
      }
    }
    threads.forEach { $0.join() }
    let last = try server.connect(from: host)
    #expect(eventually { server.port.peerNodes == [] })
    #expect(last.status == .open)
  }

  @Test func `both sides are told of what changes`() throws {
    let server = try TestServer()
    let node = Log()
    server.port.onChange = { port in
      node.add("\(port.host?.name ?? "-") \(port.format?.maximumFrames ?? 0)")
    }
    let host = Log()
    let connection = try server.connect()
    connection.onChange = { host.add("\($0)") }
    try connection.initialize(Format(maximumFrames: 99))
    server.clock.advance(seconds: 2)
    #expect(eventually { host.lines == ["parked: the host stopped rendering"] })
    server.server.withdraw(server.port)
    #expect(
      eventually {
        host.lines.last == "lost: the node no longer publishes the port"
      })
    #expect(host.lines.count == 2)
    #expect(eventually { node.lines.last == "- 0" })
    #expect(node.lines.contains("Tester 99"))
  }

  @Test func `a report says who has what, and how it is doing`() throws {
    let server = try TestServer()
    let free = try server.server.publish(pulsePort(1), server.source)
    let host = AudioHost(name: "Tester")
    let connection = try server.running(Format(maximumFrames: 64))
    for _ in 0..<5 { _ = connection.rendered(64) }
    let report = try host.report(ofNode: "test", socketPath: server.socketPath)
    #expect(report.node == Peer(name: "test", processID: getpid()))
    #expect(report.ports.map(\.port) == [server.port.description, free.description])
    #expect(report.ports[0].host == host.peer)
    let rendering = try #require(report.ports[0].rendering)
    #expect(rendering.cycles == 5)
    #expect(rendering.isOffline)
    #expect(rendering.maximumFrames == 64)
    #expect(rendering.unit == [UnitStatus("cycles", 5), UnitStatus("bytes", 0)])
    #expect(report.ports[1].host == nil)
    #expect(report.ports[1].rendering == nil)
  }

  @Test func `a report has every port, however many`() throws {
    let server = try TestServer()
    for number in 1...400 { try server.server.publish(pulsePort(number), server.source) }
    let report = try AudioHost(name: "Tester").report(ofNode: "test", socketPath: server.socketPath)
    #expect(report.ports.map(\.port) == (0...400).map { pulsePort($0) })
  }

  @Test func `offline, a unit is prepared for each cycle's events; in real time it is tended`()
    throws
  {
    let server = try TestServer()
    let connection = try server.connect()
    for mode in [RenderMode.offline, .realtime] {
      try connection.initialize(Format(maximumFrames: 64), mode: mode)
      for _ in 0..<3 {
        for key in 1...5 { _ = connection.schedule(note(UInt8(key)), at: 0) }
        _ = eventually { connection.rendered(64).status == .rendered }
      }
      let unit = server.unit
      if mode == .offline {
        #expect(unit.preparedEvents == 15)
      } else {
        #expect(eventually { unit.deferredWorkCalls > 0 })
        #expect(unit.preparedEvents == 0)
      }
      connection.uninitialize()
    }
  }
}
