/// What a run of many songs came to, at its end.
struct RunSummary: Encodable, Equatable {
  var songs: Int
  var kept: Int
  var failed: Int
  var withWarnings: Int
  /// Files in the folders named that are no songs by their names.
  var otherFiles: Int
  /// Seconds of audio rendered.
  var seconds: Double
  var exitCode: Int32

  init(_ tally: RunTally, otherFiles: Int = 0) {
    songs = tally.rendered
    kept = tally.kept
    failed = tally.failed
    withWarnings = tally.withWarnings
    self.otherFiles = otherFiles
    seconds = tally.seconds
    exitCode = tally.exitCode.rawValue
  }

  /// `31 songs: 1:23:04 of sound in 0:19, 262x real time; 2 failed`.
  ///
  /// - Parameter elapsed: Seconds that it took; `nil` where nobody knows.
  func text(elapsed: Double?) -> String {
    var sentence = "\(songs) song\(songs == 1 ? "" : "s")"
    if songs > 0 { sentence += ": \(ProgressLine.clock(seconds.rounded())) of sound" }
    if let elapsed, elapsed > 0, songs > 0 {
      let speed = seconds / elapsed
      sentence += " in \(ProgressLine.clock(elapsed.rounded(.up)))"
      sentence += ", \(decimal(min(speed, 1e6), digits: speed < 10 ? 1 : 0))x real time"
    }
    var rest: [String] = []
    if kept > 0 { rest.append("\(kept) there already") }
    if failed > 0 { rest.append("\(failed) failed") }
    if withWarnings > 0 { rest.append("\(withWarnings) with warnings") }
    if otherFiles > 0 {
      rest.append("\(otherFiles) other file\(otherFiles == 1 ? "" : "s") left out")
    }
    return ([sentence] + rest).joined(separator: "; ")
  }
}
