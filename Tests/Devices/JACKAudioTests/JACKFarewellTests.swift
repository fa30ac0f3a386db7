import LocalSystem
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKFarewellTests {
  /// Returns whether the wait lasts as long as its limits allow.
  private func waits(_ farewell: JACKFarewell, seconds: Double = 0.2, grace: Double = 0.2) -> Bool {
    let begin = MonotonicClock.now
    farewell.wait(within: seconds, grace: grace)
    return MonotonicClock.now - begin >= Int64(0.2e9)
  }

  @Test func `a client that is lost waits for JACK's thread, but not for ever`() {
    #expect(waits(JACKFarewell(), grace: 0))
  }

  @Test func `after a first callback there is time for a second one`() {
    let farewell = JACKFarewell()
    farewell.receive(.first)
    #expect(waits(farewell, seconds: 1000))
  }

  @Test func `after the second callback the wait is over`() throws {
    let farewell = JACKFarewell()
    let thread = try SystemThread(name: "test") {
      farewell.receive(.first)
      farewell.receive(.second)
    }
    // The test's time limit is shorter.
    farewell.wait(within: 1000, grace: 1000)
    thread.join()
  }
}
