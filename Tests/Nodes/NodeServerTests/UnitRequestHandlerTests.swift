import ConnectionTestSupport
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeServer

@Suite(.timeLimit(.minutes(5))) struct UnitRequestHandlerTests {
  @Test func `a host reads and sets the unit's parameters`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    #expect(connection.parameters == ProbeUnit.tree)
    #expect(connection.parameters.groups == [.init("time", "Time")])
    try connection.setParameters(["gain": 2, "time.tail": 5])
    #expect(try connection.parameterValues() == [2, 0, 5])
    #expect(connection.rendered(input: [1, 2]).left == [2, 4])
    #expect(connection.schedule(parameter: 0, to: 6, over: 4, at: 2) == .accepted)
    #expect(connection.rendered(input: [1, 1, 1, 1]).left == [2, 2, 2, 3])
    #expect(try connection.parameterValues()[0] == 4)
  }

  @Test func `a value out of range is refused with the range, and changes nothing`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    #expect(
      failure { try connection.setParameters(["gain": 11, "time.tail": 3]) }?.description
        == "Test: Probe 0: gain must be 0 to 10, but is 11")
    #expect(
      failure { try connection.setParameters(["gian": 1]) }?.description
        == "Test: Probe 0: there is no parameter 'gian': the unit has gain, time.latency, time.tail"
    )
    #expect(connection.schedule(parameter: 0, to: 10.1, at: 0) == .outOfRange)
    #expect(connection.schedule(parameter: 0, to: .nan, at: 0) == .outOfRange)
    #expect(connection.schedule(parameter: 3, to: 0, at: 0) == .unknownParameter)
    #expect(connection.schedule(parameter: -1, to: 0, at: 0) == .unknownParameter)
    #expect(try connection.parameterValues() == [1, 0, 0])
    #expect(connection.rendered(input: [1]).left == [1])
  }

  @Test func `presets are listed and used`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    #expect(try connection.presets().map(\.name) == ["Quiet", "Loud"])
    try connection.usePreset(1)
    #expect(connection.rendered(input: [1]).left == [4])
    #expect(
      failure { try connection.usePreset(2) }?.description
        == "Test: Probe 0 has no preset 2: it has 0 to 1, from 'Quiet' to 'Loud'")
  }

  @Test func `a saved state can be restored`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    try connection.setParameters(["gain": 3.25])
    let saved = try connection.saveState()
    connection.uninitialize()
    try connection.initialize(Format(inputChannels: 2), mode: .offline)
    #expect(connection.rendered(input: [1]).left == [1])
    try connection.restoreState(saved)
    #expect(connection.rendered(input: [1]).left == [3.25])
    #expect(try connection.saveState() == saved)
  }

  @Test func `an invalid state changes nothing`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    try connection.setParameters(["gain": 3])
    let good = try connection.saveState()
    var states = [good, good, good, good, good, good]
    states[0].version = 2
    states[1].component = pulses()
    states[2].parameters["gain"] = 99
    states[3].parameters["other"] = 1
    states[4].data = "no base!"
    states[5].data = "AAAA"
    try connection.setParameters(["gain": 2])
    let sentences = states.map { state in
      failure { try connection.restoreState(state) }?.description ?? "restored"
    }
    #expect(sentences[0].contains("has version 2, but this node reads 1"))
    let component = probePort().component
    #expect(sentences[1].contains("not to '\(component)'"))
    #expect(sentences[2].contains("gain must be 0 to 10, but is 99"))
    #expect(sentences[3].contains("there is no parameter 'other'"))
    #expect(sentences[4].contains("not Base64"))
    #expect(sentences[5].contains("it must have one byte"))
    #expect(connection.rendered(input: [1]).left == [2])
    #expect(try connection.saveState().data == good.data)
  }

  @Test func `a state that is too long for a message is an error`() throws {
    final class Manifold: RenderUnit {
      let parameters: ParameterStore? = ParameterStore(
        ParameterTree(
          (0..<1024).map {
            Parameter("\($0)" + String(repeating: "x", count: 60), "X", 0...1, default: 0)
          }))
      var renderer: Renderer { fatalError("nobody renders it") }
    }
    let handler = UnitRequestHandler(unit: Manifold(), port: probePort())
    let error = #expect(throws: ProtocolError.self) { _ = try handler.saveState(SaveState()) }
    #expect(error?.code == .badState)
    #expect(error?.message.contains("but a message holds 65436 and 32768") == true)
  }

  @Test func `a parameter that is not in the state gets its default`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    var state = try connection.saveState()
    state.parameters = ["time.tail": 9]
    try connection.setParameters(["gain": 5])
    try connection.restoreState(state)
    #expect(try connection.parameterValues() == [1, 0, 9])
  }

  @Test func `a host receives changes of latency and tail`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    #expect(connection.latency == 0)
    #expect(connection.tail == nil)
    let log = Log()
    connection.onNotice = { log.add("\($0)") }
    try connection.setParameters(["time.latency": 64, "time.tail": 1000])
    #expect(eventually { log.lines.count == 2 })
    #expect(connection.latency == 64)
    #expect(connection.tail == 1000)
    // Also if it changes without a request, for example by a scheduled parameter.
    #expect(connection.schedule(parameter: 1, to: 32, at: 0) == .accepted)
    _ = connection.rendered(64)
    #expect(eventually { connection.latency == 32 })
  }

  @Test func `requests without a unit are refused`() throws {
    let server = try ProbeServer()
    let connection = try server.connect()
    #expect(connection.parameters.parameters.isEmpty)
    #expect(
      failure { _ = try connection.saveState() }?.description
        == "initialize the port before sending requests to its unit")
  }
}
