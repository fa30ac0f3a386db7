/// The round trips of one run.
struct RoundTrips {
  /// Microseconds, in rising order. A lost cycle is infinitely long.
  let durations: [Double]

  /// - Parameter text: Of each cycle a line: nanoseconds, or `late` if it was lost.
  /// - Throws: ``BenchError`` if there is none, or a line that is neither.
  init(parsing text: String) throws {
    durations = try text.split(separator: "\n").map { line in
      if line == "late" { return .infinity }
      guard let nanoseconds = UInt64(line) else {
        throw BenchError("'\(line)' is no round trip: nanoseconds or 'late' is")
      }
      return Double(nanoseconds) / 1000
    }.sorted()
    guard !durations.isEmpty else { throw BenchError("no round trips") }
  }

  /// The least duration that so many of a thousand cycles do not exceed (nearest rank).
  ///
  /// - Parameter permille: 1...1000.
  func percentile(permille: Int) -> Double {
    durations[(durations.count * permille + 999) / 1000 - 1]
  }

  var median: Double { percentile(permille: 500) }
  var p99: Double { percentile(permille: 990) }
  var p999: Double { percentile(permille: 999) }
  var most: Double { percentile(permille: 1000) }
  var late: Int { durations.count { $0 == .infinity } }
}
