/// How many songs of a run came to what.
struct BatchSummary: Equatable, Sendable {
  private(set) var rendered = 0
  private(set) var kept = 0
  private(set) var failed = 0
  /// Whether something ended the run before all songs were done.
  var isCutShort = false
  /// Of those rendered, how many have something to be warned of.
  private(set) var withWarnings = 0
  /// Seconds of audio rendered.
  private(set) var seconds = 0.0
  /// The first signal that ended a song.
  private(set) var interruption: Failure?
  private var codes: Set<ExitCode> = []

  mutating func add(_ outcome: RenderSession.Outcome) {
    switch outcome {
    case .rendered(let song): add(song.entry)
    case .kept: kept += 1
    case .planned: rendered += 1
    case .failed(let failure):
      if failure.signal != nil {
        interruption = interruption ?? failure
      } else {
        add(code: failure.code)
      }
    }
  }

  mutating func add(_ song: RenderReport.Song) {
    rendered += 1
    seconds += song.seconds
    if !song.warnings.isEmpty { withWarnings += 1 }
  }

  mutating func add(code: ExitCode) {
    failed += 1
    codes.insert(code)
  }

  /// That of the failures if they agree, else ``ExitCode/failed``.
  var exitCode: ExitCode { codes.count > 1 ? .failed : codes.first ?? .done }
}
