import ConnectionTestSupport
import LocalSystem
import NodeProtocol
import NodeServer
import Synchronization
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct LatenessTests {
  /// Renders cycles with a note each until the plugin writes a line that contains a text.
  private func reports(_ text: String, _ plugin: TestInstance) -> Bool {
    eventually {
      plugin.run(noteAt: 0)
      let worker = plugin.instance.worker
      return worker.lastReport.withLock { $0.contains(text) }
        || worker.lastRemark.withLock { $0.contains(text) }
    }
  }

  @Test func `the log has the number of cycles for which the node was late`() throws {
    let plugin = try #require(try TestInstance())
    var faults = PulseUnit.Faults()
    // A cycle has 64 frames: 1.3 ms.
    faults.delay = 20_000_000
    faults.delayedEvery = 5
    let server = try plugin.serve(UntrackedPulseSource(faults))
    defer { server.stop() }
    plugin.instance.activate()
    #expect(reports("silent, because the node did not answer in time", plugin))
  }

  @Test func `late cycles in which nothing sounds are not reported`() throws {
    let plugin = try #require(try TestInstance())
    var faults = PulseUnit.Faults()
    faults.delay = 20_000_000
    faults.delayedEvery = 5
    faults.isQuiet = true
    let server = try plugin.serve(UntrackedPulseSource(faults))
    defer { server.stop() }
    plugin.instance.activate()
    func lateCycles() -> Int {
      server.report.ports.reduce(0) { $0 + Int($1.rendering?.lateCycles ?? 0) }
    }
    #expect(
      eventually {
        plugin.run(noteAt: nil)
        return lateCycles() > 3
      })
    #expect(plugin.instance.worker.lastRemark.withLock { $0.isEmpty })
    // A note that is delayed is reported.
    #expect(reports("or play fewer notes at once", plugin))
  }

  @Test func `the log says that a node hangs`() throws {
    let plugin = try #require(try TestInstance())
    var faults = PulseUnit.Faults()
    faults.hangs = 3
    let server = try plugin.serve(UntrackedPulseSource(faults))
    defer { server.stop() }
    plugin.instance.activate()
    #expect(reports("does not answer in time; its unit is made again", plugin))
  }
}
