import Testing

@testable import LiveCore

@Suite struct PatienceTests {
  @Test func `each attempt is later than the one before, up to half a minute`() {
    var patience = Patience()
    var waits: [Double] = []
    for _ in 0..<7 { waits.append(patience.next()) }
    #expect(waits == [2, 4, 8, 16, 30, 30, 30])
  }

  @Test func `a device lost soon is waited for, and one that worked is not`() {
    var patience = Patience()
    let (soon, isTried, wait) = (patience.isTried(by: 5), patience.isTried, patience.next())
    #expect(soon && isTried)
    #expect(wait == 2)
    let (late, again) = (patience.isTried(by: 3600), patience.next())
    #expect(!late)
    #expect(again == 2)
  }

  @Test func `that it works is news once, and only after it was in doubt`() {
    var patience = Patience()
    let before = patience.isOver(with: 100)
    _ = patience.isTried(by: 1)
    let (early, due, later) = (
      patience.isOver(with: 1), patience.isOver(with: 15), patience.isOver(with: 16)
    )
    #expect([before, early, due, later] == [false, false, true, false])
  }
}
