/// How long notes took to be heard, in milliseconds, to the microsecond.
struct LatencyFigures: Equatable, Encodable {
  let played: Int
  let heard: Int
  let mean: Double
  /// 99 of 100 took no longer.
  let p99: Double
  let least: Double
  let greatest: Double
  let standardDeviation: Double

  /// - Parameters:
  ///   - played: When each note was played, in their order.
  ///   - clicks: When clicks were heard. The first that follows a note, and comes before the next one, is
  ///     that note's.
  /// - Returns: `nil` if none was heard.
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
