import AudioFile

extension RenderReport {
  /// The list that a run was asked for, so that the parts of one can be told to belong together.
  package struct List: Codable, Equatable, Sendable {
    /// In all parts.
    package var songs: Int
    /// Of all songs' names and lengths, by which they have their parts, and the names of their files, in
    /// their order.
    package var hash: String
    package var shard: Part?

    package struct Part: Codable, Equatable, Sendable {
      /// From 1.
      package var number: Int
      package var count: Int
    }

    /// - Parameter jobs: Those of all parts.
    package init(_ jobs: [RenderPlan.Job], shard: Shard?) {
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
