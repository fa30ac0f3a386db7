import LocalSystem
import Testing

@testable import LiveAudio

@Suite(.timeLimit(.minutes(5))) final class DeviceEventFlagsTests {
  private let flags = DeviceEventFlags()

  deinit { flags.destroy() }

  @Test func `each kind of event is counted separately, and wakes the thread`() {
    let before = flags.signal.value
    for _ in 0..<3 { flags.countXrun() }
    #expect(flags.signal.value == before + 3)
    flags.countResumption()
    #expect(flags.signal.value == before + 4)
    #expect(flags.xruns.value == 3)
    #expect(flags.resumptions.value == 1)
    #expect(flags.lossCode == 0)
  }

  @Test(arguments: [19, -19] as [Int32])
  func `the first of several causes is kept, and each wakes the thread`(cause: Int32) {
    let before = flags.signal.value
    flags.reportLoss(cause)
    flags.reportLoss(5)
    #expect(flags.lossCode == cause)
    #expect(flags.signal.value == before + 2)
  }
}
