package import LocalSystem

/// One of several parts of a list of songs, each for a run of its own, on any machine.
///
/// Parts depend on the list alone: its order, and how long the songs' files are. No two differ by more
/// bytes than the longest song has.
package struct Shard: Equatable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int

  package static let most = 100_000

  /// - Parameter text: As in `2/8`.
  package init(_ text: String) throws(Failure) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      (1...Self.most).contains(count), (1...count).contains(number)
    else {
      throw .usage(
        "--shard must be I/N, part I of N parts, with N at most \(Self.most), but was '\(text)'")
    }
    self.number = number
    self.count = count
  }

  /// - Returns: The jobs of this part, in the order of the list.
  package func part(of jobs: [RenderPlan.Job]) -> [RenderPlan.Job] {
    // Dealt from the heaviest on, forth and back: what is ahead in one round falls behind in the next.
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
