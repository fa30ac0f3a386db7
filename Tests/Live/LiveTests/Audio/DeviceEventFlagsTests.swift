import Testing
import Threads

@testable import LiveAudio

@Suite final class SoundDeviceNewsTests {
  private let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 4)
  private let news: DeviceEventFlags

  init() {
    words.initialize(repeating: 0, count: 4)
    news = DeviceEventFlags(
      xruns: SharedWord(at: words), resumptions: SharedWord(at: words + 1),
      buffer: SharedWord(at: words + 2), loss: SharedWord(at: words + 3), bell: DeferredWorkSignal()
    )
  }

  deinit {
    news.bell.destroy()
    words.deallocate()
  }

  @Test func `each kind is counted by itself, and rings`() {
    let rung = news.bell.value
    for _ in 0..<3 { news.countXrun() }
    #expect(news.bell.value == rung + 3)
    news.countResumption()
    #expect(news.bell.value == rung + 4)
    #expect(news.xruns.value == 3)
    #expect(news.resumptions.value == 1)
    #expect(news.cause == 0)
  }

  @Test(arguments: [19, -19] as [Int32])
  func `of several causes the first is kept, and each rings`(cause: Int32) {
    let rung = news.bell.value
    news.lose(cause)
    news.lose(5)
    #expect(news.cause == cause)
    #expect(news.bell.value == rung + 2)
  }
}
