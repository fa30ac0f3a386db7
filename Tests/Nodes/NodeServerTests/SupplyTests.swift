import ConnectionTestSupport
import Dispatch
import LiveMIDI
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a host that requests notes before its node is ready for them.
@Suite(.timeLimit(.minutes(5))) struct SupplyTests {
  private func running(
    _ source: SupplySource, deadlineFraction: Double, maximumFrames: Int
  ) throws -> (TestServer, Connection) {
    let server = try TestServer()
    try server.server.publish(pulsePort(1), source)
    let connection = try server.connect(pulses(1))
    connection.deadlineFraction = deadlineFraction
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: maximumFrames))
    return (server, connection)
  }

  @Test func `with an unlimited wait a node prepares for all notes, and none is late`()
    throws
  {
    // A limit of a minute, far more than needed.
    let (server, connection) = try running(
      SupplySource(), deadlineFraction: 3000, maximumFrames: 1024)
    withExtendedLifetime(server) {
      for cycle in 0..<20 {
        for offset in 0...cycle {
          #expect(connection.schedule(note(60), at: offset) == .accepted)
        }
        let (status, left, _) = connection.rendered(1024)
        #expect(status == .rendered)
        #expect(pulsePositions(left).keys.sorted() == Array(0...cycle))
        #expect(connection.defects.isEmpty)
      }
      #expect(connection.statistics.lateNotes == 0)
    }
  }

  @Test func `a node prepares for the notes of keyboards, too`() throws {
    let server = try TestServer()
    let port = try server.server.publish(pulsePort(1), SupplySource())
    let connection = try server.connect(pulses(1))
    connection.deadlineFraction = 3000
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 256))
    port.input.sourceNames = ["Keys"]
    port.input.send(.channel(note(72)), from: LiveInput.Source(1), at: 0)
    var pulses = 0
    let isHeard = eventually {
      pulses += pulsePositions(connection.rendered(256).left).count
      return pulses > 0
    }
    #expect(isHeard)
    #expect(pulses == 1)
    #expect(connection.statistics.lateNotes == 0)
    server.server.stop()
  }

  @Test func `with a limited wait notes are late, and the host knows in which cycle`()
    throws
  {
    let isBusy = DispatchSemaphore(value: 0)
    let (server, connection) = try running(
      SupplySource { isBusy.wait() }, deadlineFraction: 20, maximumFrames: 1024)
    defer { for _ in 0..<100 { isBusy.signal() } }
    #expect(connection.schedule(note(60), at: 5) == .accepted)
    #expect(connection.schedule(note(61), at: 6) == .accepted)
    let (status, left, _) = connection.rendered(1024)
    // Half of the limit of 0.4 s was spent waiting for the unit; the other half remains for the answer.
    #expect(status == .rendered)
    #expect(pulsePositions(left).isEmpty)
    #expect(connection.defects.lateNotes == 2)
    #expect(connection.statistics.lateNotes == 2)
    #expect(connection.rendered(1024).status == .rendered)
    #expect(connection.defects.isEmpty)
    #expect(connection.statistics.lateNotes == 2)
    server.server.stop()
  }
}
