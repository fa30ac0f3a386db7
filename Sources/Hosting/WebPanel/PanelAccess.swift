import Synchronization

/// Decides which pages are admitted: those with the secret of the link, or with the password.
///
/// Threads: any.
package final class PanelAccess: Sendable {
  private let secret: String
  private let password: String?
  private let failures = Mutex<[ContinuousClock.Instant]>([])

  /// The wrong passwords in a minute after which no password is accepted for the rest of it.
  static let failureLimit = 10

  package init(secret: String, password: String?) {
    (self.secret, self.password) = (secret, password)
  }

  package enum Answer: Equatable, Sendable {
    case admitted, refused
    /// Too many wrong passwords have been sent.
    case suspended
  }

  package func answer(
    secret: String?, password: String?, at now: ContinuousClock.Instant = .now
  ) -> Answer {
    if let secret { return Self.equal(secret, self.secret) ? .admitted : .refused }
    guard let password, let expected = self.password else { return .refused }
    return failures.withLock { failures in
      failures.removeAll { now - $0 >= .seconds(60) }
      if failures.count >= Self.failureLimit { return .suspended }
      if Self.equal(password, expected) { return .admitted }
      failures.append(now)
      return .refused
    }
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
