import ConnectionTestSupport
import Glibc
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct StateExchangeTests {
  private func state(_ secret: UInt8) -> SavedState {
    let data = ["AA==", "AQ==", "Ag==", "Aw=="][Int(secret)]
    return SavedState(
      port: "Test",
      unit: UnitState(component: probePort().component, parameters: [:], data: data), controls: [:])
  }

  @Test func `a state that the host restores while a unit replaces another is kept`() throws {
    let plugin = try #require(try TestInstance(probePort(), inputChannels: 2))
    let source = LastProbe()
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.activate()
    var random = Seeded(1)
    for round in 0..<100 {
      let secret = UInt8(round % 4)
      // This cycle waits for an offline unit, and the next one requests a realtime unit.
      plugin.freewheel.pointee = 1
      plugin.run(noteAt: 0)
      plugin.freewheel.pointee = 0
      plugin.run(noteAt: 0)
      usleep(.random(in: 0..<3000, using: &random))
      plugin.instance.worker.restore(state(secret).text)
      let isRestored = eventually {
        plugin.run(noteAt: 0)
        return plugin.isConnected && source.unit?.secret == secret
      }
      try #require(isRestored, "round \(round): \(source.unit?.secret ?? 255)")
      let saved = try #require(plugin.instance.worker.savedText())
      #expect(try SavedState(saved).unit.data == state(secret).unit.data)
    }
  }

  @Test func `a state that the unit refuses is saved again`() throws {
    let plugin = try #require(try TestInstance(probePort(), inputChannels: 2))
    let server = try plugin.serve(LastProbe())
    defer { server.stop() }
    plugin.instance.activate()
    var refused = state(1)
    refused.unit.data = "AAEC"
    plugin.instance.worker.restore(refused.text)
    let isConnected = eventually {
      plugin.run(noteAt: 0)
      return plugin.isConnected
    }
    #expect(isConnected)
    #expect(plugin.instance.worker.savedText() == refused.text)
    plugin.instance.worker.restore(state(2).text)
    let saved = try #require(plugin.instance.worker.savedText())
    #expect(try SavedState(saved).unit.data == state(2).unit.data)
  }
}

/// Creates probes, and keeps the last one.
private final class LastProbe: RenderUnitSource {
  private let last = Mutex<ProbeUnit?>(nil)
  var unit: ProbeUnit? { last.withLock { $0 } }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    let unit = ProbeUnit(format)
    last.withLock { $0 = unit }
    return unit
  }
}
