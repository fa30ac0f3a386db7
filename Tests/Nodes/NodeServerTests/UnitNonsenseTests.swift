import ConnectionTestSupport
import FoundationEssentials
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a host that sends invalid messages of each kind about a unit.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct UnitNonsenseTests {
  @Test(.serialized, arguments: 1...2)
  func `a unit survives any request, and others continue to play`(seed: Int) throws {
    let server = try ProbeServer()
    let bystander = try Bystander(server.test.connect(), seed: Faults.seed(seed))
    let component = probePort().component
    let state = UnitState(
      component: component, parameters: ["gain": 2, "time.latency": 64], data: "AQ==")
    var babbler = Babbler(
      [
        Babbler.packet(GetParameters(offset: 0)), Babbler.packet(GetValues()),
        Babbler.packet(SetParameters(values: ["gain": 1, "time.tail": 5])),
        Babbler.packet(GetPresets(offset: 1)), Babbler.packet(UsePreset(index: 1)),
        Babbler.packet(SaveState()), Babbler.packet(RestoreState(state: state)),
        Babbler.packet(SaveStatePart(offset: 0)), Babbler.packet(SaveStatePart(offset: 99)),
        Babbler.packet(
          LoadStatePart(
            data: try JSONEncoder().encode(state).base64EncodedString(), offset: 0,
            total: try JSONEncoder().encode(state).count)),
        Babbler.packet(LoadStatePart(data: "e30=", offset: 0, total: 1 << 26)),
        Babbler.packet(SupportedCommands(commands: [.start, .jump])),
        try MessageEncoder.response(TransportCommand.Response(isDone: true), id: 1),
        Babbler.packet(ForwardCommand(.jump(beat: 4), component: pulses(7))),
        Babbler.packet(ForwardCommand(.start, component: pulses())), Babbler.packet(ShowWindow()),
        Babbler.packet(PeerNodeNames(names: ["a"])),
      ], seed: Faults.seed(seed))
    var host = try babbling(at: server)
    var doors = 0
    let count = (Faults.count(usual: 4000) + 1) / 2
    var before: Child.Holdings?
    for number in 0..<count {
      if number == count / 5 { before = .init(of: getpid()) }
      while host.socket.waitForPacket(milliseconds: 0), try host.socket.receive() != nil {}
      do throws(SystemError) {
        let bytes = babbler.message()
        try host.send(Array(bytes.prefix(PacketSocket.limit)))
      } catch {
        #expect(error.code == EPIPE || error.code == ECONNRESET)
        doors += 1
        host = try babbling(at: server)
      }
    }
    #expect(doors > count / 200)
    #expect(bystander.stop() == [])
    host.socket.shutDown()
    #expect(eventually { server.port.host == nil })
    let connection = try server.running()
    #expect(connection.rendered(input: [1]).left == [1])
    connection.close()
    reportMessages(count, since: before)
  }

  /// Returns a host that has opened the port, after the previous host has closed it, and initialized a unit.
  private func babbling(at server: ProbeServer) throws -> RawHost {
    #expect(eventually { server.port.host == nil })
    let host = try RawHost(server.test.socketPath)
    try host.open(probePort().component)
    _ = try host.initialize(Format(inputChannels: 2, maximumFrames: 64), isOffline: true)
    return host
  }
}
