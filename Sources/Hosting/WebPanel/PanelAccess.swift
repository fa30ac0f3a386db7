import LocalSystem
import Synchronization

/// Decides which pages are admitted: those that prove that they know the secret of the link, a key that a page got when
/// it was admitted before, or the password.
///
/// No secret is sent, except to a page that has been admitted: both sides send HMAC codes of numbers that they use once.
/// The server's code comes first, so a page does not prove anything to a program that listens at the port after the
/// server has ended. The codes include the address in the page's link, so such a program cannot pass them on to a
/// server at another port.
///
/// The secret of the link is another one each time the server is started, because a page that is loaded from whoever
/// listens at the port can read its link. The key of a page is only in the memory of that page. It is computed from a
/// master key, which remains, and from the password, so a new password ends what the old one admitted.
///
/// Source: the shape is that of RFC 5802 without the storage of passwords.
///
/// Threads: any.
package final class PanelAccess: Sendable {
  private let secret: String
  private let masterKey: String
  private let password: String?
  private let wrong: WrongSecrets

  /// - Parameters:
  ///   - secret: That of the link.
  ///   - masterKey: The key of the keys of pages.
  ///   - password: The password of pages of other machines; `nil` admits none.
  ///   - log: Writes a line about wrong secrets, at most once per second.
  package init(
    secret: String, masterKey: String, password: String?,
    log: @escaping @Sendable (String) -> Void
  ) {
    (self.secret, self.masterKey, self.password) = (secret, masterKey, password)
    wrong = WrongSecrets(log: log)
  }

  /// The values on which a page and the server have agreed before the page proves its secret.
  struct Challenge {
    /// The `Host` header of the page's connection.
    let host: String
    /// The numbers that the page and the server use once.
    let page: String
    let server: String
    /// The secret or the key of the page.
    fileprivate let key: String

    /// Returns the code with which a side proves that it knows a key.
    func code(of side: Side, key: String) -> String {
      HMAC.sha256(key: key, "portative panel \(side.rawValue)\n\(host)\n\(page)\n\(server)")
    }
  }

  enum Side: String {
    case server, page, password
  }

  /// Begins the admission of a page.
  ///
  /// - Parameters:
  ///   - page: The number that the page uses once.
  ///   - name: The name of the page's key; `nil` for the secret of the link.
  /// - Returns: What the page's answer is checked with, and the server's code.
  func challenge(page: String, keyNamed name: String?, host: String) -> (Challenge, code: String) {
    let challenge = Challenge(
      host: host, page: page, server: makeSecret(), key: name.map { pageKey($0) } ?? secret)
    return (challenge, challenge.code(of: .server, key: challenge.key))
  }

  package enum Answer: Equatable, Sendable {
    case admitted, refused
    /// The peer has sent too many wrong passwords.
    case suspended
  }

  /// Checks what a page proves.
  ///
  /// - Parameters:
  ///   - code: The code of the secret or of the page's key.
  ///   - password: The code of the password.
  func answer(
    _ challenge: Challenge, code: String?, password: String?, from peer: Peer,
    at now: ContinuousClock.Instant = .now
  ) -> Answer {
    if let code {
      // Never suspended, so that nobody can lock the owner out.
      if Self.equal(code, challenge.code(of: .page, key: challenge.key)) { return .admitted }
      wrong.count("secret", from: peer, at: now)
      return .refused
    }
    guard let password, let expected = self.password else {
      wrong.count("message", from: peer, at: now)
      return .refused
    }
    if wrong.isSuspended(peer, at: now) { return .suspended }
    if Self.equal(password, challenge.code(of: .password, key: expected)) { return .admitted }
    wrong.count("password", from: peer, at: now)
    return .refused
  }

  /// Returns the key of a page that was admitted, with which it is admitted when the server has been restarted.
  func makePageKey() -> (name: String, key: String) {
    let name = makeSecret()
    return (name, pageKey(name))
  }

  private func pageKey(_ name: String) -> String {
    HMAC.sha256(key: masterKey, "page \(name)\n\(password ?? "")")
  }

  /// Compares in a time that depends on the first text only.
  private static func equal(_ text: String, _ expected: String) -> Bool {
    let expected = Array(expected.utf8)
    var difference = text.utf8.count ^ expected.count
    for (index, byte) in text.utf8.enumerated() {
      difference |= Int(byte ^ (expected.isEmpty ? 0 : expected[index % expected.count]))
    }
    return difference == 0 && !expected.isEmpty
  }
}

/// Counts wrong secrets and passwords by peer, and logs them.
///
/// Threads: any.
final class WrongSecrets: Sendable {
  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  /// The wrong passwords of a peer in a minute after which none of its passwords is accepted for the rest of it.
  static let passwordLimit = 10
  /// The peers that are remembered. The one that failed least recently is forgotten.
  static let peerLimit = 1000

  private struct State {
    var passwords: [Peer: [ContinuousClock.Instant]] = [:]
    var lastLine: ContinuousClock.Instant?
    var unreported = 0
  }

  /// - Parameter log: Writes a line, at most once per second.
  init(log: @escaping @Sendable (String) -> Void) { self.log = log }

  /// Counts something wrong.
  ///
  /// - Parameter kind: `password` counts for ``isSuspended(_:at:)``.
  func count(_ kind: String, from peer: Peer, at now: ContinuousClock.Instant) {
    let line: String? = state.withLock { state in
      if kind == "password" {
        if state.passwords[peer] == nil, state.passwords.count >= Self.peerLimit,
          let oldest = state.passwords.min(by: { $0.value.last ?? now < $1.value.last ?? now })
        {
          state.passwords[oldest.key] = nil
        }
        state.passwords[peer, default: []].append(now)
      }
      if let last = state.lastLine, now - last < .seconds(1) {
        state.unreported += 1
        return nil
      }
      defer { (state.lastLine, state.unreported) = (now, 0) }
      let others = state.unreported
      return "panel: a page of \(peer) with a wrong \(kind) was refused"
        + (others == 0 ? "" : ", and \(others) others before it")
    }
    if let line { log(line) }
  }

  /// Whether a peer has sent too many wrong passwords in the last minute.
  func isSuspended(_ peer: Peer, at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      state.passwords[peer]?.removeAll { now - $0 >= .seconds(60) }
      return state.passwords[peer, default: []].count >= Self.passwordLimit
    }
  }
}
