import LocalSystem

/// A program that starts others and makes their connections itself.
enum SessionManager {
  /// The variables that those set: New Session Manager, RaySession, Agordejo and others; and ladish.
  static let variables = ["NSM_URL", "LADISH_APP_NAME"]

  /// Whether one has started us.
  static func isPresent(in environment: ProcessEnvironment) -> Bool {
    variables.contains { environment.variable($0) != nil }
  }
}
