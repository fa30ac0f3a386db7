import ConnectionTestSupport
import Foundation
import PluginBundles
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UnitReaderTests {
  private let folder: TemporaryFolder
  private let server: NodeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try NodeServer(
      socketPath: folder("test.socket"), peer: Peer(name: "test", processID: getpid()))
  }

  /// Units with these numbers of channels only.
  private struct FixedSource: RenderUnitSource {
    var inputs = 0...0
    var outputs: ClosedRange<Int>
    /// Whether the refusal names the range.
    var isPrecise = true

    func makeUnit(_ format: Format) throws -> any RenderUnit {
      for (field, value, allowed) in [
        ("outputChannels", format.outputChannels, outputs),
        ("inputChannels", format.inputChannels, inputs),
      ] where !allowed.contains(value) {
        if isPrecise { throw FormatError(field: field, value: value, allowed: allowed) }
        throw ProtocolError(.unsupportedFormat, "other channels, please")
      }
      return PulseUnit(format)
    }
  }

  private func reader(_ host: String = "Reader") -> UnitReader {
    UnitReader { [path = folder("test.socket")] in
      try AudioHost(name: host).connect(
        to: $0.port.component, ofNode: "test", socketPath: path)
    }
  }

  private func channels(_ source: FixedSource, _ type: PortType) throws -> [Int] {
    let port = probePort(type: type)
    let published = try server.publish(port, source)
    defer { server.withdraw(published) }
    let plugin = try reader().read(component(port)).description
    #expect(plugin.type == type && plugin.port == port)
    return [plugin.inputChannels, plugin.outputChannels]
  }

  private func component(_ port: PortDescription) -> Component {
    Component(port: port, node: "test")
  }

  @Test func `the numbers of channels are 2 or the nearest that the unit has`() throws {
    #expect(try channels(FixedSource(outputs: 1...64), .instrument) == [0, 2])
    #expect(try channels(FixedSource(outputs: 34...34), .instrument) == [0, 34])
    #expect(try channels(FixedSource(outputs: 1...1), .generator) == [0, 1])
    #expect(try channels(FixedSource(inputs: 1...1, outputs: 4...8), .effect) == [1, 4])
    #expect(try channels(FixedSource(inputs: 3...5, outputs: 1...1), .musicEffect) == [3, 1])
    #expect(
      try channels(FixedSource(outputs: 1...1, isPrecise: false), .instrument) == [0, 1])
    #expect(
      try channels(FixedSource(inputs: 1...1, outputs: 1...1, isPrecise: false), .effect) == [1, 1])
  }

  @Test func `a unit whose channels are unknown is refused with its own words`() throws {
    #expect {
      try channels(FixedSource(outputs: 5...5, isPrecise: false), .instrument)
    } throws: { "\($0)" == "other channels, please" }
  }

  @Test func `parameters have the values of a new unit as defaults, and presets are read`() throws {
    struct Loud: RenderUnitSource {
      func makeUnit(_ format: Format) throws -> any RenderUnit {
        let unit = try ProbeSource().makeUnit(format)
        try unit.parameters?.set(["gain": 2.5])
        return unit
      }
    }
    let port = probePort()
    _ = try server.publish(port, Loud())
    let plugin = try reader().read(component(port))
    #expect(plugin.description.parameters.parameters.map(\.defaultValue) == [2.5, 0, 0])
    #expect(plugin.description.parameters.groups == ProbeUnit.tree.groups)
    #expect(plugin.presets.map(\.name) == ["Quiet", "Loud"])
    #expect(plugin.description.uri == "urn:portative:musicEffect:2000:Test")
  }

  @Test func `the port is free again afterwards, and one in use is refused with its host`() throws {
    let port = pulsePort()
    let published = try server.publish(port, PulseSource())
    _ = try reader().read(component(port))
    #expect(eventually { published.host == nil })
    let host = try AudioHost(name: "Sequencer").connect(
      to: port.component, ofNode: "test", socketPath: folder("test.socket"))
    #expect {
      try reader().read(component(port))
    } throws: { "\($0)".contains("is in use by Sequencer") }
    host.close()
  }
}
