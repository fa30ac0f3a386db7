import LocalSystem

/// The output paths of a run's songs.
///
/// It ensures that no song overwrites another song's output, a file that the run reads, or the report.
struct OutputPathRegistry {
  private var takers: [[CChar]: String] = [:]
  private let sources: Set<FileIdentity>
  private let report: [CChar]?

  /// - Parameters:
  ///   - sources: The files that the run reads. All but regular files are ignored.
  ///   - report: The path of the report.
  /// - Throws: ``Failure`` if the report would overwrite a source.
  init(reading sources: some Sequence<FileIdentity>, report: String?) throws(Failure) {
    self.sources = Set(sources.lazy.filter(\.isRegular))
    self.report = report.map(SongPath.plain)
    if let report, let existing = FileIdentity(report), self.sources.contains(existing) {
      throw .usage("the report would be written over '\(report)': name another --report")
    }
  }

  /// Reserves the paths that a song's output needs.
  ///
  /// - Parameter input: The path of the song.
  /// - Throws: ``Failure`` if another song has reserved one of them before, or if one belongs to the report or a
  ///   source.
  mutating func take(_ work: RenderPlan.Work, for input: String) throws(Failure) {
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
