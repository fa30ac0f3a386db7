/// The statistics of the latencies of notes, in milliseconds, rounded to microseconds.
package struct LatencyFigures: Equatable, Encodable {
  package let played: Int
  package let heard: Int
  package let mean: Double
  /// The 99th percentile.
  package let p99: Double
  package let least: Double
  package let greatest: Double
  package let standardDeviation: Double

  /// - Parameters:
  ///   - played: The time when each note was played, in nanoseconds, sorted.
  ///   - clicks: The times when clicks were captured, in nanoseconds, sorted. The first click after a note and before
  ///     the
  ///     next note belongs to that note.
  /// - Returns: `nil` if no note was captured.
  init?(played: [Int64], clicks: [Int64]) {
    let ends = played.dropFirst() + [Int64.max]
    let latencies = zip(played, ends).compactMap { time, end in
      clicks.first { $0 >= time && $0 < end }.map { Double($0 - time) / 1e6 }
    }.sorted()
    guard let least = latencies.first, let greatest = latencies.last else { return nil }
    self.played = played.count
    heard = latencies.count
    let count = Double(latencies.count)
    let mean = latencies.reduce(0, +) / count
    self.mean = Self.rounded(mean)
    self.least = Self.rounded(least)
    self.greatest = Self.rounded(greatest)
    p99 = Self.rounded(latencies[Int((0.99 * count).rounded(.up)) - 1])
    let squares = latencies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    standardDeviation = Self.rounded((squares / count).squareRoot())
  }

  private static func rounded(_ milliseconds: Double) -> Double {
    (milliseconds * 1000).rounded() / 1000
  }
}
