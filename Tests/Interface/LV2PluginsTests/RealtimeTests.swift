import NodeServer
import Testing

@testable import LV2Plugins

/// Also run under RealtimeSanitizer: Tests/realtime.sh.
@Suite(.timeLimit(.minutes(5))) struct RealtimeTests {
  @Test func `run plays on the exact frame, and is silent while the port is missing`() throws {
    let plugin = try #require(try TestInstance())
    plugin.instance.activate()
    #expect(plugin.run(noteAt: 7) == [])
    for _ in 0..<2 {
      let server = try plugin.serve()
      #expect(plugin.waits(forSound: true))
      server.stop()
      #expect(plugin.waits(forSound: false))
    }
  }

  @Test func `without a deadline, no cycle is silent`() throws {
    let plugin = try #require(try TestInstance())
    let server = try plugin.serve()
    defer { server.stop() }
    plugin.instance.activate()
    plugin.freewheel.pointee = 1
    for frame in 0..<64 { #expect(plugin.run(noteAt: Int64(frame)) == [frame]) }
    plugin.freewheel.pointee = 0
    #expect(plugin.waits(forSound: true))
  }
}
