import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct ChangedSettingsTests {
  /// Renders cycles until a parameter has a value.
  private func becomes(
    _ value: Float, _ plugin: TestInstance, _ control: PortControl
  ) throws -> Bool {
    try eventually {
      plugin.run(noteAt: 0)
      return try control.values()[0] == value
    }
  }

  @Test func `a parameter that another program sets stays until the host changes its control port`()
    throws
  {
    let plugin = try #require(
      try TestInstance(probePort(), inputChannels: 2, parameters: ProbeUnit.tree))
    let server = try plugin.serve(ProbeSource())
    defer { server.stop() }
    let control = try plugin.connectedControl()
    try control.set(["gain": 3])
    let isSaved = try eventually {
      plugin.run(noteAt: 0)
      let text = try #require(plugin.instance.worker.savedText())
      return try SavedState(text).unit.parameters["gain"] == 3
    }
    #expect(isSaved)
    for _ in 0..<20 { plugin.run(noteAt: 0) }
    #expect(try control.values()[0] == 3)
    plugin.controls[0] = 2
    #expect(try becomes(2, plugin, control))
  }

  /// Renders cycles until the plugin tells its host a value of a parameter.
  private func reports(_ value: Float, _ plugin: TestInstance) -> Bool {
    let bytes = withUnsafeBytes(of: value) { Array($0) }
    return eventually {
      plugin.run(noteAt: 0)
      return plugin.sentObjects.contains { $0.suffix(8).starts(with: bytes) }
    }
  }

  @Test func `the host is told of a value that it has replaced since it was told the last time`()
    throws
  {
    let plugin = try #require(
      try TestInstance(probePort(), inputChannels: 2, parameters: ProbeUnit.tree))
    let server = try plugin.serve(ProbeSource())
    defer { server.stop() }
    let control = try plugin.connectedControl()
    for value in [2, 1] as [Float] {
      try control.set(["gain": 3])
      #expect(reports(3, plugin))
      plugin.controls[0] = value
      #expect(try becomes(value, plugin, control))
    }
  }
}
