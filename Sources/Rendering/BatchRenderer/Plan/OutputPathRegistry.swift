package import LocalSystem

/// Which paths are spoken for, so that no song is written over another, nor over any that is read.
package struct OutputPathRegistry {
  private var takers: [[CChar]: String] = [:]
  private let sources: Set<FileIdentity>
  private let report: [CChar]?

  /// - Parameters:
  ///   - sources: All that will be read.
  ///   - report: Where the report goes.
  /// - Throws: When the report would be written over a song.
  package init(reading sources: some Sequence<FileIdentity>, report: String?) throws(Failure) {
    self.sources = Set(sources.lazy.filter(\.isRegular))
    self.report = report.map(SongPath.plain)
    if let report, let existing = FileIdentity(report), self.sources.contains(existing) {
      throw .usage("the report would be written over '\(report)': name another --report")
    }
  }

  /// - Parameter input: The song that wants its files.
  /// - Throws: When one of them is another's already: the first that asks has it.
  package mutating func take(_ work: RenderPlan.Work, for input: String) throws(Failure) {
    for path in try work.paths() { try take(path, for: input) }
  }

  private mutating func take(_ path: String, for input: String) throws(Failure) {
    let plain = SongPath.plain(path)
    if let report, plain == report {
      throw .usage("the report would be written over '\(path)': name another --report")
    }
    if let other = takers[plain], FileIdentity(path)?.isDevice != true {
      throw .usage(
        "'\(input)' would be written to '\(path)', and so would '\(other)': "
          + "render them one at a time, or rename one")
    }
    if let existing = FileIdentity(path), sources.contains(existing) {
      throw .usage(
        "'\(path)' is a song that is to be read, and would be written over: name another output")
    }
    takers[plain] = input
  }
}
