/// A mechanism for a round trip from a host's process to a node's process.
///
/// To add one, add a case and its command: a program that accepts ``RoundTripSetting/arguments``,
/// measures, and prints the output that ``RoundTrips`` parses. Only targets must be added separately.
enum RoundTripContestant: String, CaseIterable {
  /// Two C processes that wake each other: the lower bound for any connection.
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

  /// JACK needs a rate because its server determines when a cycle begins.
  var canRunWithoutRate: Bool { self != .jack }

  /// - Throws: ``BenchError`` if the program fails; it has printed the reason to standard error.
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
