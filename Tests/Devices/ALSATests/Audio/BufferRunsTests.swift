import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct BufferRunsTests {
  /// Returns whether the buffer is too short after runs of these numbers of periods.
  private func isTooShort(_ runs: [Int], isFixed: Bool = false) -> Bool {
    var buffer = BufferRuns(isFixed: isFixed)
    return runs.reduce(false) { _, periods in
      for _ in 0..<periods { buffer.countPeriod() }
      return buffer.end()
    }
  }

  @Test func `a buffer that runs empty soon four times in a row is too short`() {
    #expect(isTooShort([0, 0, 0, 0]))
    #expect(isTooShort([4000, 0, 3, 15, 1]))
    #expect(!isTooShort([0, 0, 0]))
  }

  @Test func `rare xruns do not make a buffer too short`() {
    #expect(!isTooShort([0, 0, 16, 0, 0, 0]))
    #expect(!isTooShort([0, 0, 0, 0, 0, 0, 0]))
  }

  @Test func `a buffer without xruns is long enough`() {
    #expect(!isTooShort([0, 0, 0, 0], isFixed: true))
  }
}
