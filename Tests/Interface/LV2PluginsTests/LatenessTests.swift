import ConnectionTestSupport
import LocalSystem
import NodeServer
import Synchronization
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct LatenessTests {
  /// Renders cycles until the plugin writes a line that contains a text.
  ///
  /// - Parameter plays: Whether each cycle has a note.
  private func reports(
    _ text: String, _ plugin: TestInstance, plays: Bool = true
  ) -> Bool {
    eventually {
      plugin.run(noteAt: plays ? 0 : nil)
      let worker = plugin.instance.worker
      return worker.lastReport.withLock { $0.contains(text) }
        || worker.lastLateness.withLock { $0.contains(text) }
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

  @Test(arguments: [true, false])
  func `fewer notes are advised only if a late cycle interrupted them`(plays: Bool) throws {
    let plugin = try #require(try TestInstance())
    var faults = PulseUnit.Faults()
    faults.delay = 20_000_000
    faults.delayedEvery = 5
    faults.isQuiet = true
    let server = try plugin.serve(UntrackedPulseSource(faults))
    defer { server.stop() }
    plugin.instance.activate()
    let advice = plays ? "or play fewer notes at once" : "nothing was sounding"
    #expect(reports(advice, plugin, plays: plays))
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
