import ConnectionTestSupport
import NodeDirectory
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct DescriptionTests {
  private func details(_ server: ProbeServer) throws -> PortDetails {
    try AudioHost(name: "Looker").details(
      of: server.port.description.component, ofNode: "test", socketPath: server.test.socketPath)
  }

  @Test func `a port in use is described with its current values, and continues`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    try connection.setParameters(["gain": 2])
    let details = try details(server)
    #expect(details.port == server.port.description)
    #expect(details.parameters == connection.parameters)
    #expect(details.values.first == 2)
    #expect(connection.rendered(input: [1, 2]).left == [2, 4])
  }

  @Test func `a free port is described and stays free`() throws {
    let server = try ProbeServer()
    let details = try details(server)
    #expect(details.values == details.parameters.parameters.map(\.defaultValue))
    #expect(server.port.host == nil)
  }

  @Test func `describing a port changes nothing`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    _ = try host.ask(Hello(peer: Peer(name: "raw", processID: 1)))
    _ = try host.ask(DescribePort(component: pulses()))
    #expect(try host.refusal(of: SetParameters(values: [:]))?.code == .badSequence)
    #expect(try host.refusal(of: UsePreset(index: 0))?.code == .badSequence)
    #expect(try host.refusal(of: SaveState())?.code == .badSequence)
    #expect(try host.refusal(of: DescribePort(component: pulses(7)))?.code == .noSuchPort)
  }
}
