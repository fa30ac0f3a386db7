/// A way from a host's process to a node's and back.
///
/// To add one, add a case and its command: a program that takes ``RoundTripSetting/arguments``,
/// measures, and prints what ``RoundTrips`` reads. All else follows, but for targets.
enum RoundTripContestant: String, CaseIterable {
  /// Two processes in C that wake each other: what every connection costs at least.
  case futex
  /// A host and a node with an empty unit.
  case connection
  /// Three clients of a JACK server with its dummy driver.
  case jack = "JACK"

  private func command() throws -> (program: String, arguments: [String]) {
    switch self {
    case .futex: (try ownFolder() + "/pingpong", ["futex"])
    case .connection: (try ownFolder() + "/bench", ["connection-echo"])
    case .jack: (try ownFolder() + "/pingpong", ["jack"])
    }
  }

  /// JACK's server says when a cycle begins.
  var canRunWithoutRate: Bool { self != .jack }

  /// - Throws: ``BenchError`` if it fails; it has said why on standard error.
  func run(_ setting: RoundTripSetting) throws -> RoundTrips {
    let (program, arguments) = try command()
    let child = try Child.run(
      program, arguments + setting.arguments, keepsOutput: true, showsErrors: true)
    guard child.exitCode == 0 else {
      throw BenchError("round trip by \(rawValue): exit code \(child.exitCode)")
    }
    return try RoundTrips(parsing: child.output)
  }
}
