import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct AbsenceTests {
  private let begin = ContinuousClock.now
  private func after(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

  @Test func `an absence lasts from the first loss to ten seconds after the last return`() {
    var absence = Absence(begin: begin)
    #expect(absence.isLost && !absence.isOver(after(100)))
    absence.endLoss(at: after(2))
    #expect(!absence.isLost && !absence.isOver(after(11.9)))
    absence.beginLoss()
    #expect(absence.isLost && absence.seconds(after(12)) == 12)
    absence.endLoss(at: after(13))
    #expect(absence.isOver(after(23)))
  }

  @Test func `the pause before an attempt grows with each loss`() {
    var absence = Absence(begin: begin)
    var pauses: [Double] = []
    for _ in 0..<6 {
      pauses.append(absence.pause)
      absence.beginLoss()
    }
    #expect(pauses == [0, 1, 2, 4, 8, 8])
  }
}
