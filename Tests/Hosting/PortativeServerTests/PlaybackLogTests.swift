import LiveAudio
import NodeServer
import ServerTestSupport
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(5))) struct PlaybackLogTests {
  @Test func `sound is logged as closed when the last device is`() throws {
    let log = TestLog()
    let server = try NodeServer(onlyForThisProcessAs: "test")
    let playback = PlaybackLog(of: server, log)
    let (port, song) = (playback.addDevice(), playback.addDevice())
    port(.sound(.playing("a graph")))
    song(.sound(.playing("a graph")))
    song(.closed)
    #expect(server.sound == "a graph")
    #expect(!log.messages.contains { $0.contains("closed") }, "\(log.messages)")
    port(.closed)
    #expect(server.sound == nil)
    #expect(log.messages.filter { $0.contains("sound: closed") }.count == 1, "\(log.messages)")
  }
}
