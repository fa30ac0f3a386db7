package import LocalSystem

/// How many songs of a run came to what.
package struct BatchTally: Equatable, Sendable {
  package private(set) var rendered = 0
  package private(set) var kept = 0
  package private(set) var failed = 0
  /// Whether something ended the run before all songs were done.
  package var isCutShort = false
  /// Of those rendered, how many have something to be warned of.
  package private(set) var withWarnings = 0
  /// Seconds of audio rendered.
  package private(set) var seconds = 0.0
  /// The first signal that ended a song.
  package private(set) var interruption: Failure?
  private var kinds: Set<Failure.Kind> = []

  package mutating func add(_ outcome: RenderSession.Outcome) {
    switch outcome {
    case .rendered(let song): add(song.entry)
    case .kept: kept += 1
    case .planned: rendered += 1
    case .failed(let failure):
      if failure.signal != nil {
        interruption = interruption ?? failure
      } else {
        add(failure.kind)
      }
    }
  }

  package mutating func add(_ song: RenderReport.Song) {
    rendered += 1
    seconds += song.seconds
    if !song.warnings.isEmpty { withWarnings += 1 }
  }

  package mutating func add(_ kind: Failure.Kind) {
    failed += 1
    kinds.insert(kind)
  }

  /// That of the failures if they agree, else ``Failure/Kind/failed``; `nil` without failures.
  package var failureKind: Failure.Kind? { kinds.count > 1 ? .failed : kinds.first }
}
