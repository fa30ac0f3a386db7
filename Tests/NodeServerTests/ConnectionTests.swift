import HostConnection
import MIDICore
import NodeHost
import NodeServer
import RenderCore
import Testing

@Suite struct ConnectionTests {
  @Test func `an event acts on its own frame of the same cycle`() throws {
    let (server, _) = try pulseServer()
    let connection = try server.connect()
    try connection.initialize(Format(maximumFrames: 256), mode: .offline)
    for offset in [0, 1, 63, 64, 100, 255] {
      #expect(connection.schedule(note(60), at: offset) == .accepted)
      let (status, left, _) = connection.rendered(256)
      #expect(status == .rendered)
      #expect(pulsePositions(left) == [offset: 60])
    }
  }
}
