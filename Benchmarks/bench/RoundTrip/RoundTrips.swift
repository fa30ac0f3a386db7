/// The round trips of one run.
struct RoundTrips {
  /// The durations in microseconds, in ascending order; a late cycle is infinite.
  let durations: [Double]

  /// - Parameter text: One line per cycle: nanoseconds, or `late` if the cycle was late.
  /// - Throws: ``BenchError`` if there is no line, or if a line is neither.
  init(parsing text: String) throws {
    durations = try text.split(separator: "\n").map { line in
      if line == "late" { return .infinity }
      guard let nanoseconds = UInt64(line) else {
        throw BenchError("round trip must be nanoseconds or 'late', not '\(line)'")
      }
      return Double(nanoseconds) / 1000
    }.sorted()
    guard !durations.isEmpty else { throw BenchError("no round trips in the output") }
  }

  /// Returns the smallest duration that `permille` thousandths of the cycles do not exceed (nearest rank).
  ///
  /// - Parameter permille: The percentile times ten, 1...1000.
  func percentile(permille: Int) -> Double {
    durations[(durations.count * permille + 999) / 1000 - 1]
  }

  var median: Double { percentile(permille: 500) }
  var p99: Double { percentile(permille: 990) }
  var p999: Double { percentile(permille: 999) }
  var maximum: Double { percentile(permille: 1000) }
  var late: Int { durations.count { $0 == .infinity } }
}
