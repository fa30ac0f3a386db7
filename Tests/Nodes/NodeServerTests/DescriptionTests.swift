import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
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

  @Test func `the unit of a description is released when another one plays the port`() throws {
    let server = try TestServer()
    let source = WeakSource()
    let port = probePort()
    try server.server.publish(port, source)
    let looker = try RawHost(server.socketPath)
    _ = try looker.ask(Hello(peer: Peer(name: "raw", processID: 1)))
    _ = try looker.ask(DescribePort(component: port.component))
    #expect(source.units.map { $0.unit != nil } == [true])
    let host = try AudioHost(name: "Player").connect(
      to: port.component, ofNode: "test", socketPath: server.socketPath)
    try host.initialize(Format(inputChannels: 2))
    _ = try looker.ask(GetValues())
    #expect(source.units.map { $0.unit != nil } == [false, true])
  }

  @Test func `only a described port has settings, and no state`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    _ = try host.ask(Hello(peer: Peer(name: "raw", processID: 1)))
    #expect(try host.refusal(of: SetParameters(values: [:]))?.code == .badSequence)
    _ = try host.ask(DescribePort(component: pulses()))
    _ = try host.ask(SetParameters(values: [:]))
    #expect(try host.refusal(of: UsePreset(index: 0))?.code == .noSuchPreset)
    #expect(try host.refusal(of: SaveState())?.code == .badSequence)
    #expect(try host.refusal(of: DescribePort(component: pulses(7)))?.code == .noSuchPort)
  }

  @Test(arguments: [(1...1, 34...34), (2...2, 1...1), (0...0, 2...2)])
  func `a port that refuses two channels is described with those that it has`(
    inputs: ClosedRange<Int>, outputs: ClosedRange<Int>
  ) throws {
    let server = try TestServer()
    let port = probePort()
    try server.server.publish(port, ParticularSource(inputs: inputs, outputs: outputs))
    let details = try AudioHost(name: "Looker").details(
      of: port.component, ofNode: "test", socketPath: server.socketPath)
    #expect(details.port == port)
  }

  @Test func `channels that a description excludes are refused before a unit is made`() throws {
    let server = try TestServer()
    let source = WeakSource()
    let port = probePort(channels: try PortChannels(inputs: 1...4, outputs: 2...2))
    try server.server.publish(port, source)
    let host = try AudioHost(name: "Player").connect(
      to: port.component, ofNode: "test", socketPath: server.socketPath)
    #expect(host.port == port)
    for (format, field, allowed) in [
      (Format(inputChannels: 5), "inputChannels", 1...4),
      (Format(inputChannels: 0), "inputChannels", 1...4),
      (Format(inputChannels: 1, outputChannels: 1), "outputChannels", 2...2),
    ] {
      let error = #expect(throws: ConnectionError.self) { try host.initialize(format) }
      guard case .refused(let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.code == .unsupportedFormat && reason.data?.field == "params.\(field)")
      #expect(reason.data?.allowed == ProtocolError.AllowedRange(allowed))
    }
    #expect(source.units.isEmpty)
    try host.initialize(Format(inputChannels: 2))
  }

  @Test func `a port is described with the channels that its description has`() throws {
    let server = try TestServer()
    let port = probePort(channels: try PortChannels(inputs: 1...1, outputs: 34...34))
    // It says of no number what it has instead.
    try server.server.publish(port, ParticularSource(inputs: 1...1, outputs: 34...34))
    #expect(
      try AudioHost(name: "Looker").details(
        of: port.component, ofNode: "test", socketPath: server.socketPath
      ).port == port)
  }

  @Test func `a port that refuses every number of channels is not described`() throws {
    let server = try TestServer()
    try server.server.publish(probePort(), ParticularSource(inputs: 3...3, outputs: 100...100))
    let error = #expect(throws: ConnectionError.self) {
      try AudioHost(name: "Looker").details(
        of: probePort().component, ofNode: "test", socketPath: server.socketPath)
    }
    guard case .refused(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.code == .unsupportedFormat && reason.data?.field == "params.outputChannels")
  }
}

/// Makes units, and does not keep them.
private final class WeakSource: RenderUnitSource {
  private let made = Mutex<[WeakUnit]>([])

  struct WeakUnit: Sendable { weak var unit: ProbeUnit? }

  var units: [WeakUnit] { made.withLock { $0 } }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    let unit = ProbeUnit(format)
    made.withLock { $0.append(WeakUnit(unit: unit)) }
    return unit
  }
}

/// Makes units that support only certain numbers of channels.
private struct ParticularSource: RenderUnitSource {
  let inputs: ClosedRange<Int>
  let outputs: ClosedRange<Int>

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    if !inputs.contains(format.inputChannels) {
      throw FormatError(field: "inputChannels", value: format.inputChannels, allowed: inputs)
    }
    // Numbers that no format can have stay refused.
    if !outputs.contains(format.outputChannels) || format.outputChannels > 64 {
      throw FormatError(field: "outputChannels", value: format.outputChannels, allowed: outputs)
    }
    return SilentUnit()
  }
}

private final class SilentUnit: RenderUnit, @unchecked Sendable {
  var renderer: Renderer {
    Renderer(state: UnsafeMutableRawPointer(bitPattern: 8)!) { _, _ in false }
  }
}
