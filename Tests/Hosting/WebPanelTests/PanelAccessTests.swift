import Synchronization
import Testing

@testable import WebPanel

@Suite(.timeLimit(.minutes(5)))
struct PanelAccessTests {
  private static let secret = "0123456789abcdef"
  private let lines = Lines()
  private let access: PanelAccess
  private let host = "127.0.0.1:80"
  private let peer = Self.peer("192.168.1.7")
  private let now = ContinuousClock.now

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  init() throws {
    // Loads the library that computes the codes.
    let web = WebServer([:]) { _ in nil }
    try web.start(addresses: ["127.0.0.1"], port: 0)
    web.stop()
    access = PanelAccess(
      secret: Self.secret, masterKey: "master", password: "open sesame",
      log: { [lines] line in lines.all.withLock { $0.append(line) } })
  }

  private static func peer(_ address: String) -> Peer { Peer(SocketAddress(address, port: 0)!) }

  private func answer(
    code key: String? = nil, password: String? = nil, from peer: Peer? = nil,
    after seconds: Double = 0
  ) -> PanelAccess.Answer {
    let (challenge, _) = access.challenge(page: "fedcba9876543210", keyNamed: nil, host: host)
    return access.answer(
      challenge, code: key.map { challenge.code(of: .page, key: $0) },
      password: password.map { challenge.code(of: .password, key: $0) }, from: peer ?? self.peer,
      at: now + .seconds(seconds))
  }

  @Test func `codes are those of RFC 4231`() {
    #expect(
      HMAC.sha256(key: "Jefe", "what do ya want for nothing?")
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      HMAC.sha256(key: "", "") == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    )
  }

  @Test func `the secret is admitted, and nothing like it`() {
    #expect(answer(code: Self.secret) == .admitted)
    for wrong in ["", "0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", "open sesame"] {
      #expect(answer(code: wrong) == .refused)
    }
    #expect(answer() == .refused)
  }

  @Test func `a code of another length is refused`() {
    let (challenge, code) = access.challenge(page: "fedcba9876543210", keyNamed: nil, host: host)
    let right = challenge.code(of: .page, key: Self.secret)
    for wrong in ["", String(right.dropLast()), right + "0", right.uppercased(), code] {
      #expect(access.answer(challenge, code: wrong, password: nil, from: peer) == .refused)
    }
  }

  @Test func `a wrong secret is refused even with the password`() {
    #expect(answer(code: "x", password: "open sesame") == .refused)
  }

  @Test func `without a password, none is admitted`() {
    let access = PanelAccess(
      secret: Self.secret, masterKey: "master", password: nil, log: { _ in })
    for password in ["", Self.secret] {
      let (challenge, _) = access.challenge(page: "fedcba9876543210", keyNamed: nil, host: host)
      let code = challenge.code(of: .password, key: password)
      #expect(access.answer(challenge, code: nil, password: code, from: peer) == .refused)
    }
  }

  @Test func `wrong passwords suspend the password of their peer for a minute, and nobody's link`()
  {
    let other = Self.peer("192.168.1.8")
    #expect(answer(password: "open sesame") == .admitted)
    for _ in 0..<WrongSecrets.passwordLimit {
      #expect(answer(password: "guess", after: 1) == .refused)
    }
    #expect(answer(password: "open sesame", after: 2) == .suspended)
    #expect(answer(password: "open sesame", from: other, after: 2) == .admitted)
    #expect(answer(code: Self.secret, after: 2) == .admitted)
    #expect(answer(password: "open sesame", after: 62) == .admitted)
  }

  @Test func `peers in one network of IPv6 are one peer`() {
    for number in 0..<WrongSecrets.passwordLimit {
      let peer = Self.peer("2001:db8::\(number + 1)")
      #expect(answer(password: "guess", from: peer) == .refused)
    }
    #expect(answer(password: "open sesame", from: Self.peer("2001:db8::99")) == .suspended)
    #expect(answer(password: "open sesame", from: Self.peer("2001:db8:0:1::1")) == .admitted)
  }

  @Test func `the memory for peers is limited`() {
    for number in 0..<2 * WrongSecrets.peerLimit {
      let peer = Self.peer("10.0.\(number / 250).\(number % 250)")
      #expect(answer(password: "guess", from: peer, after: Double(number) / 1000) == .refused)
    }
    // The last ones are remembered.
    let last = Self.peer("10.0.7.249")
    for _ in 1..<WrongSecrets.passwordLimit {
      #expect(answer(password: "guess", from: last, after: 2) == .refused)
    }
    #expect(answer(password: "open sesame", from: last, after: 2) == .suspended)
  }

  @Test func `wrong secrets are logged with their peer, at most once per second`() {
    for index in 0..<5000 { _ = answer(code: "x", after: Double(index) / 1000) }
    let lines = lines.all.withLock { $0 }
    #expect((5...6).contains(lines.count))
    #expect(lines[0] == "panel: a page of 192.168.1.7 with a wrong secret was refused")
    #expect(lines[1].hasSuffix("was refused, and 999 others before it"))
  }

  @Test func `too many messages in a second are refused, and the next second begins again`() {
    var rate = MessageRate()
    let now = ContinuousClock.now
    let admitted = (0..<2 * MessageRate.limit).count { _ in rate.admits(at: now) }
    #expect(admitted <= MessageRate.limit)
    let isAdmitted = rate.admits(at: now + .seconds(2))
    #expect(isAdmitted)
  }
}
