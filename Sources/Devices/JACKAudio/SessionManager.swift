import LocalSystem

/// Detects a session manager, which starts other programs and connects them.
enum SessionManager {
  /// The variables that session managers set: New Session Manager, RaySession, Agordejo and others; and ladish.
  static let variables = ["NSM_URL", "LADISH_APP_NAME"]

  /// Returns whether a session manager started this program.
  static func isPresent(in environment: ProcessEnvironment) -> Bool {
    variables.contains { environment.variable($0) != nil }
  }
}
