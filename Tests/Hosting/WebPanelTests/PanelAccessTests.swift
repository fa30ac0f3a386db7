import Testing

@testable import WebPanel

@Suite(.timeLimit(.minutes(1)))
struct PanelAccessTests {
  private let access = PanelAccess(secret: "0123456789abcdef", password: "open sesame")

  @Test func `the secret is admitted, and nothing like it`() {
    #expect(access.answer(secret: "0123456789abcdef", password: nil) == .admitted)
    for wrong in ["", "0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", "open sesame"] {
      #expect(access.answer(secret: wrong, password: nil) == .refused)
    }
    #expect(access.answer(secret: nil, password: nil) == .refused)
  }

  @Test func `a wrong secret is refused even with the password`() {
    #expect(access.answer(secret: "x", password: "open sesame") == .refused)
  }

  @Test func `without a password, none is admitted`() {
    let access = PanelAccess(secret: "0123456789abcdef", password: nil)
    #expect(access.answer(secret: nil, password: "") == .refused)
    #expect(access.answer(secret: nil, password: "0123456789abcdef") == .refused)
  }

  @Test func `wrong passwords suspend the password for a minute, and not the secret`() {
    let now = ContinuousClock.now
    func answer(after seconds: Int, _ password: String) -> PanelAccess.Answer {
      access.answer(secret: nil, password: password, at: now + .seconds(seconds))
    }
    #expect(answer(after: 0, "open sesame") == .admitted)
    for _ in 0..<PanelAccess.failureLimit { #expect(answer(after: 1, "guess") == .refused) }
    #expect(answer(after: 2, "open sesame") == .suspended)
    #expect(access.answer(secret: "0123456789abcdef", password: nil, at: now) == .admitted)
    #expect(answer(after: 62, "open sesame") == .admitted)
  }

  @Test func `too many messages in a second are refused, and the next second begins anew`() {
    var rate = MessageRate()
    let now = ContinuousClock.now
    let admitted = (0..<2 * MessageRate.limit).count { _ in rate.admits(at: now) }
    #expect(admitted <= MessageRate.limit)
    let isAdmitted = rate.admits(at: now + .seconds(2))
    #expect(isAdmitted)
  }
}
