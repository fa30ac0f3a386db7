import BatchRenderer
import Configuration

/// The summary of a run of many songs.
struct RunSummary: Encodable, Equatable {
  var songs: Int
  var kept: Int
  var failed: Int
  var withWarnings: Int
  /// The number of files in the given folders whose names are not those of songs.
  var otherFiles: Int
  /// The number of symbolic links in them that were not followed.
  var skippedLinks: Int
  /// The number of folders in them on other file systems, which were not entered.
  var skippedMounts: Int
  /// The seconds of audio that were rendered.
  var seconds: Double
  var exitCode: Int32

  init(_ tally: BatchTally, skipped: SongList.Skipped = .init()) {
    songs = tally.rendered
    kept = tally.kept
    failed = tally.failed
    withWarnings = tally.withWarnings
    otherFiles = skipped.others.count
    skippedLinks = skipped.links.count
    skippedMounts = skipped.mounts.count
    seconds = tally.seconds
    exitCode = ExitCode(tally.failureKind).rawValue
  }

  /// Returns a sentence such as `31 songs: 1:23:04 of sound in 0:19, 262x real time; 2 failed`.
  ///
  /// - Parameters:
  ///   - elapsed: The duration of the run in seconds; `nil` if it is unknown.
  ///   - isDryRun: Whether nothing was rendered.
  ///   - showsWarnings: Whether the warnings were shown.
  func text(elapsed: Double?, isDryRun: Bool = false, showsWarnings: Bool = true) -> String {
    var sentence = counted(songs, "song")
    if isDryRun {
      return join([sentence + " would be rendered"] + rest(isDryRun: true, showsWarnings))
    }
    if songs > 0 { sentence += ": \(clockText(seconds.rounded())) of sound" }
    if let elapsed, elapsed > 0, songs > 0 {
      let speed = seconds / elapsed
      sentence += " in \(clockText(elapsed.rounded(.up)))"
      sentence += ", \(decimal(min(speed, 1e6), digits: speed < 10 ? 1 : 0))x real time"
    }
    return join([sentence] + rest(isDryRun: false, showsWarnings))
  }

  private func join(_ parts: [String]) -> String { parts.joined(separator: "; ") }

  private func rest(isDryRun: Bool, _ showsWarnings: Bool) -> [String] {
    var rest: [String] = []
    if kept > 0 { rest.append("\(kept) already rendered") }
    if failed > 0 { rest.append("\(failed) \(isDryRun ? "would fail" : "failed")") }
    if withWarnings > 0 {
      rest.append("\(withWarnings) with warnings\(showsWarnings ? "" : " (--verbose shows them)")")
    }
    if otherFiles > 0 { rest.append("\(counted(otherFiles, "other file")) skipped") }
    if skippedLinks > 0 {
      rest.append("\(counted(skippedLinks, "symbolic link")) not followed (--dereference)")
    }
    if skippedMounts > 0 {
      rest.append(
        "\(counted(skippedMounts, "other file system")) not entered (--no-one-file-system)")
    }
    return rest
  }
}
