import Testing

@testable import LiveAudio

@Suite(.timeLimit(.minutes(5))) struct RetryBackoffTests {
  @Test func `the delay between attempts grows up to half a minute`() {
    var backoff = RetryBackoff()
    var waits: [Double] = []
    for _ in 0..<7 { waits.append(backoff.next()) }
    #expect(waits == [2, 4, 8, 16, 30, 30, 30])
  }

  @Test
  func `a device that was lost soon is opened after a delay, and one that worked immediately`() {
    var backoff = RetryBackoff()
    let (soon, wait, longer) = (backoff.shouldWait(afterAge: 5), backoff.next(), backoff.next())
    #expect(soon)
    #expect([wait, longer] == [2, 4])
    let (late, again) = (backoff.shouldWait(afterAge: 3600), backoff.next())
    #expect(!late)
    #expect(again == 2)
  }
}
