import LocalSystem

/// The output paths of a run's songs.
///
/// It ensures that no song overwrites another song's output, a file that the run reads, or the report.
struct OutputPathRegistry {
  /// The song that has reserved each path.
  private var owners: [[CChar]: String] = [:]
  private let sources: Set<FileIdentity>
  private let report: [CChar]?

  /// - Parameters:
  ///   - sources: The files that the run reads. All but regular files are ignored.
  ///   - report: The path of the report.
  /// - Throws: ``Failure`` if the report would overwrite a source.
  init(reading sources: some Sequence<FileIdentity>, report: String?) throws(Failure) {
    self.sources = Set(sources.lazy.filter(\.isRegular))
    self.report = report.map(SongPath.normalized)
    if let report, let existing = FileIdentity(report), self.sources.contains(existing) {
      throw .usage("the report would overwrite the song '\(report)': name another --report")
    }
  }

  /// Reserves the paths that a song's output needs.
  ///
  /// - Parameter input: The path of the song.
  /// - Throws: ``Failure`` if another song has reserved one of them before, or if one belongs to the report or a
  ///   source.
  mutating func reserve(_ work: RenderPlan.Work, for input: String) throws(Failure) {
    for path in try work.paths() { try reserve(path, for: input) }
  }

  private mutating func reserve(_ path: String, for input: String) throws(Failure) {
    let normalized = SongPath.normalized(path)
    if normalized == report {
      throw .usage("the report would overwrite the output '\(path)': name another --report")
    }
    if let owner = owners[normalized], FileIdentity(path)?.isDevice != true {
      throw .usage(
        "'\(path)' would be the output of both '\(owner)' and '\(input)': "
          + "render them one at a time, or rename one")
    }
    if let existing = FileIdentity(path), sources.contains(existing) {
      throw .usage("the output '\(path)' would overwrite a song of this run: name another output")
    }
    owners[normalized] = input
  }
}
