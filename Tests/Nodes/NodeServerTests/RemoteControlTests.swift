import ConnectionTestSupport
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RemoteControlTests {
  @Test func `a host does what a node asks, and the node hears of it`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let log = Log()
    connection.acceptCommands([.togglePlay, .jump, .loop]) { command in
      log.add("\(command)")
      return command != .loop(isOn: true)
    }
    #expect(eventually { server.port.command(.togglePlay) == .done })
    #expect(server.port.command(.jump(beat: -4)) == .done)
    #expect(server.port.command(.loop(isOn: true)) == .notNow)
    #expect(server.port.command(.rewind) == .ignored(supported: [.togglePlay, .jump, .loop]))
    #expect(log.lines == ["togglePlay", "jump(beat: -4.0)", "loop(isOn: true)"])
  }

  @Test func `a host that takes nothing ignores all, and says so`() throws {
    let server = try TestServer()
    #expect(server.port.command(.start) == .noHost)
    let connection = try server.connect()
    #expect(server.port.command(.start) == .ignored(supported: []))
    connection.close()
    #expect(eventually { server.port.command(.start) == .noHost })
  }

  @Test func `a host that does not answer is not waited for`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let isOver = Flag()
    connection.acceptCommands([.stop]) { _ in eventually { isOver.isRaised } }
    #expect(eventually { server.port.command(.stop) == .noAnswer })
    isOver.raise()
  }

  @Test func `another program commands a port's host through the node`() throws {
    let server = try TestServer()
    let other = AudioHost(name: "Foot switch")
    func command(_ command: RemoteCommand) throws {
      try other.command(
        command, hostOf: pulses(), ofNode: "test", socketPath: server.socketPath)
    }
    #expect(
      failure { try command(.start) }?.description
        == "Test: Pulses 0: no host is connected to the port: play it first")
    let connection = try server.connect()
    let log = Log()
    connection.acceptCommands([.start]) { command in
      log.add("\(command)")
      return true
    }
    #expect(eventually { (try? command(.start)) != nil })
    #expect(log.contains("start"))
    #expect(
      failure { try command(.rewind) }?.description
        == "Test: Pulses 0: the host does not support this command: it supports start")
  }

  @Test func `an answer counts once, and one that nobody waits for not at all`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    try host.send(SupportedCommands(commands: [.start]))
    for id in [0, 7, UInt32.max] { try host.respond(id, isDone: true) }
    _ = try host.ask(GetReport(offset: 0))
    let answers = Log()
    for isDone in [false, true] {
      let asking = TestThread { answers.add("\(server.port.command(.start))") }
      let id = try host.receiveStart()
      try host.respond(id &+ 1, isDone: !isDone)
      try host.respond(id, isDone: isDone)
      asking.join()
      for isDone in [true, false] { try host.respond(id, isDone: isDone) }
    }
    #expect(answers.lines == ["the host cannot do this now", "done"])
    #expect(try host.ask(UninitializePort()) == Done())
  }

  @Test func `a host that commands itself does not wait for itself for ever`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    try host.send(SupportedCommands(commands: [.start]))
    try host.send(ForwardCommand(.start, component: pulses()))
    try host.respond(host.receiveStart(), isDone: true)
    #expect(try host.refusal()?.message.contains("did not answer") == true)
    #expect(try host.ask(UninitializePort()) == Done())
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a jump to no number is one to the beginning`(beat: Double) throws {
    let server = try TestServer()
    let connection = try server.connect()
    let log = Log()
    connection.acceptCommands([.jump]) { command in
      log.add("\(command)")
      return true
    }
    #expect(eventually { server.port.command(.jump(beat: beat)) == .done })
    try AudioHost(name: "Foot switch").command(
      .jump(beat: beat), hostOf: pulses(), ofNode: "test", socketPath: server.socketPath)
    #expect(log.lines == ["jump(beat: 0.0)", "jump(beat: 0.0)"])
    #expect(connection.status == .open)
  }

  @Test func `each side can ask the other to show itself`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let log = Log()
    connection.onNotice = { log.add("\($0)") }
    connection.show()
    #expect(eventually { server.log.contains("asks the node to show its window") })
    server.port.showHost()
    #expect(eventually { log.contains("show") })
  }
}

extension RawHost {
  /// Waits for the command `start`, and returns its ID.
  fileprivate func receiveStart() throws -> UInt32 {
    guard let message = try receive(),
      case .request(let id, TransportCommand.method) = message.kind,
      try message.parameters(TransportCommand.self).command == .start
    else { throw SystemError(code: 0, call: "receive") }
    return id
  }

  fileprivate func respond(_ id: UInt32, isDone: Bool) throws {
    try send(MessageEncoder.response(TransportCommand.Response(isDone: isDone), id: id))
  }
}
