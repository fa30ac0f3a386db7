import ContentHash

extension RenderReport {
  /// The list of songs of a run, by which the reports of its parts are recognized.
  package struct List: Codable, Equatable, Sendable {
    /// The number of songs in all parts.
    var songs: Int
    /// A hash of the paths and lengths of all songs, which determine the parts, and of the paths of their output files,
    /// in the order of the list.
    var hash: String
    var shard: Part?

    struct Part: Codable, Equatable, Sendable {
      /// The number of the part, 1...`count`.
      var number: Int
      var count: Int
    }

    /// - Parameters:
    ///   - jobs: The jobs of all parts.
    ///   - shard: The part that the run renders; `nil`: all.
    init(_ jobs: [RenderPlan.Job], shard: Shard?) {
      songs = jobs.count
      self.shard = shard.map { Part(number: $0.number, count: $0.count) }
      var hash = ContentHash()
      for job in jobs {
        hash.add("\(job.input)\n\(job.weight)\n\((try? job.work.get().outputName) ?? "")\n")
      }
      self.hash = hash.text
    }
  }
}
