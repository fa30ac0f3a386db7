/// The result of one check.
struct Finding: Equatable, Encodable, Sendable {
  enum Verdict: String, Encodable, Sendable {
    case good
    /// Playing works but may be disturbed.
    case warning
    /// Playing fails.
    case bad
  }

  let subject: String
  let verdict: Verdict
  let message: String
  /// The remedy, in one line.
  let remedy: String?

  static func good(_ subject: String, _ message: String) -> Finding {
    Finding(subject: subject, verdict: .good, message: message, remedy: nil)
  }

  static func warning(_ subject: String, _ message: String, remedy: String) -> Finding {
    Finding(subject: subject, verdict: .warning, message: message, remedy: remedy)
  }

  static func bad(_ subject: String, _ message: String, remedy: String) -> Finding {
    Finding(subject: subject, verdict: .bad, message: message, remedy: remedy)
  }
}
