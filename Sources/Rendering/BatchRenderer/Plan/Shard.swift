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
    // From the heaviest on, each job goes to the part with the least so far. (R. L. Graham, Bounds on Multiprocessing Timing
    // Anomalies, 1969.) The length of a file predicts the time of a song as well as what is in it does: see
    // Documentation/Rendering-Libraries.md.
    let order = jobs.indices.sorted {
      (jobs[$1].weight, $0) < (jobs[$0].weight, $1)
    }
    var parts = PartHeap(count: count)
    var mine: [Int] = []
    for job in order where parts.addToLightest(max(1, jobs[job].weight)) == number - 1 {
      mine.append(job)
    }
    return mine.sorted().map { jobs[$0] }
  }
}

/// The parts of a list as a binary heap, with the lightest first.
private struct PartHeap {
  /// Of equal weights, the part with the lower number is the lighter one.
  private var parts: [(weight: Int, number: Int)]

  init(count: Int) { parts = (0..<count).map { (0, $0) } }

  /// Adds a weight to the lightest part, and returns its number.
  mutating func addToLightest(_ weight: Int) -> Int {
    let number = parts[0].number
    parts[0].weight += weight
    var place = 0
    while let child = lighterChild(of: place), parts[child] < parts[place] {
      parts.swapAt(child, place)
      place = child
    }
    return number
  }

  private func lighterChild(of place: Int) -> Int? {
    let first = 2 * place + 1
    if first + 1 < parts.count { return parts[first + 1] < parts[first] ? first + 1 : first }
    return first < parts.count ? first : nil
  }
}
