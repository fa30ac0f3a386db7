import LocalSystem

/// One of several parts of a list of songs. Each part is rendered by a run of its own, on any machine.
///
/// The division depends only on the order of the list and the lengths of the songs' files. Two parts differ by at most
/// as many bytes as the longest song has.
package struct Shard: Equatable, Sendable {
  /// The number of the part, 1...`count`.
  let number: Int
  let count: Int

  /// The greatest number of parts.
  static let maximumCount = 100_000

  /// Parses the value of `--shard`.
  ///
  /// - Parameter text: Number and count, such as `2/8`.
  /// - Throws: ``Failure/Kind/usage`` for any other text or an invalid number.
  init(_ text: String) throws(Failure) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      (1...Self.maximumCount).contains(count), (1...count).contains(number)
    else {
      throw .usage(
        "--shard must be I/N, part I of N parts, with 1 ≤ I ≤ N ≤ \(Self.maximumCount), but was '\(text)'"
      )
    }
    self.number = number
    self.count = count
  }

  /// Returns the jobs of this part, in the order of the list.
  func part(of jobs: [RenderPlan.Job]) -> [RenderPlan.Job] {
    // Deals the jobs from the heaviest to the lightest and reverses the direction after each round, so that a part that
    // gets more work in one round gets less in the next.
    let order = jobs.indices.sorted {
      (jobs[$1].weight, $0) < (jobs[$0].weight, $1)
    }
    var mine: [Int] = []
    for (turn, job) in order.enumerated() {
      let place = turn % count
      let isBack = turn / count % 2 == 1
      if (isBack ? count - 1 - place : place) == number - 1 { mine.append(job) }
    }
    return mine.sorted().map { jobs[$0] }
  }
}
