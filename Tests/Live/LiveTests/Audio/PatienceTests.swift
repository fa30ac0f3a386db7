import Testing

@testable import LiveAudio

@Suite struct PatienceTests {
  @Test func `each attempt is later than the one before, up to half a minute`() {
    var patience = Patience()
    var waits: [Double] = []
    for _ in 0..<7 { waits.append(patience.next()) }
    #expect(waits == [2, 4, 8, 16, 30, 30, 30])
  }

  @Test func `a device lost soon is waited for, and one that worked is not`() {
    var patience = Patience()
    let (soon, wait, longer) = (patience.isTried(by: 5), patience.next(), patience.next())
    #expect(soon)
    #expect([wait, longer] == [2, 4])
    let (late, again) = (patience.isTried(by: 3600), patience.next())
    #expect(!late)
    #expect(again == 2)
  }
}
