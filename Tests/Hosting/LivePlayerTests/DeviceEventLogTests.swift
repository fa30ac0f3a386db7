import LiveAudio
import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct DeviceEventLogTests {
  @Test func `all xruns are counted, and the first is returned with the other events`() {
    let log = DeviceEventLog()
    log.receive(.xruns(1))
    log.receive(.resumed)
    log.receive(.xruns(2))
    #expect(log.take() == [.xruns(1), .resumed])
    log.receive(.xruns(1))
    #expect(log.take() == [])
    #expect(log.xruns == 4)
    #expect(log.loss == nil)
    log.receive(.lost(reason: "unplugged"))
    #expect(log.loss == "unplugged")
    #expect(log.take() == [])
  }
}
