import ConnectionTestSupport
import Glibc
import HostConnection
import NodeHost
import NodeServer
import Testing

@Suite struct RemoteControlTests {
  @Test func `a host does what a node asks, and the node hears of it`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let log = Log()
    connection.takeCommands([.togglePlay, .jump, .loop]) { command in
      log.add("\(command)")
      return command != .loop(isOn: true)
    }
    #expect(eventually { server.port.command(.togglePlay) == .done })
    #expect(server.port.command(.jump(beat: -4)) == .done)
    #expect(server.port.command(.loop(isOn: true)) == .notNow)
    #expect(server.port.command(.rewind) == .ignored(taken: [.togglePlay, .jump, .loop]))
    #expect(log.lines == ["togglePlay", "jump(beat: -4.0)", "loop(isOn: true)"])
  }

  @Test func `a host that takes nothing ignores all, and says so`() throws {
    let server = try TestServer()
    #expect(server.port.command(.start) == .noHost)
    let connection = try server.connect()
    #expect(server.port.command(.start) == .ignored(taken: []))
    connection.close()
    #expect(eventually { server.port.command(.start) == .noHost })
  }

  @Test func `a host that does not answer is not waited for`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.takeCommands([.stop]) { _ in
      sleep(3)
      return true
    }
    #expect(eventually { server.port.command(.stop) == .noAnswer })
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
        == "Test: Pulses 0: no host has the port: play it first")
    let connection = try server.connect()
    let log = Log()
    connection.takeCommands([.start]) { command in
      log.add("\(command)")
      return true
    }
    #expect(eventually { (try? command(.start)) != nil })
    #expect(log.contains("start"))
    #expect(
      failure { try command(.rewind) }?.description
        == "Test: Pulses 0: the host does not take this command: it takes start")
  }

  @Test func `each side can ask the other to show itself`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    let log = Log()
    connection.onNotice = { log.add("\($0)") }
    connection.show()
    #expect(eventually { server.log.contains("asks for it to be shown") })
    server.port.showHost()
    #expect(eventually { log.contains("show") })
  }
}
