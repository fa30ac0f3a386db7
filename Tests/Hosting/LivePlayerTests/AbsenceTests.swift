import Testing

@testable import LivePlayer

@Suite struct AbsenceTests {
  private let begin = ContinuousClock.now
  private func after(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

  @Test func `counts from the first loss until what is back has stayed for its trial`() {
    var absence = Absence(begin: begin)
    #expect(absence.isGone && !absence.isOver(after(100)))
    absence.comeBack(after(2))
    #expect(!absence.isGone && !absence.isOver(after(11.9)))
    absence.goAgain()
    #expect(absence.isGone && absence.seconds(after(12)) == 12)
    absence.comeBack(after(13))
    #expect(absence.isOver(after(23)))
  }

  @Test func `tries at once first, and later and later when it goes again and again`() {
    var absence = Absence(begin: begin)
    var pauses: [Double] = []
    for _ in 0..<6 {
      pauses.append(absence.pause)
      absence.goAgain()
    }
    #expect(pauses == [0, 1, 2, 4, 8, 8])
  }
}
