package import LocalSystem

/// The numbers of songs of a run, by outcome.
package struct BatchTally: Equatable, Sendable {
  package private(set) var rendered = 0
  package private(set) var kept = 0
  package private(set) var failed = 0
  /// Whether the run ended before all songs were done.
  package var isCutShort = false
  /// Whether it ended because there was no space for ``mostSongsWithoutSpace`` songs in a row.
  package var isOutOfSpace = false
  /// A disk on which so many songs in a row find no space is full. One may find none because it is long, or because others
  /// are being written.
  package static let mostSongsWithoutSpace = 5
  /// The number of rendered songs that have warnings.
  package private(set) var withWarnings = 0
  /// The duration of the rendered audio, in seconds.
  package private(set) var seconds = 0.0
  /// The failure of the first song that a signal ended.
  package private(set) var interruption: Failure?
  private var kinds: Set<Failure.Kind> = []

  mutating func add(_ outcome: SongOutcome) {
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

  mutating func add(_ song: RenderReport.Song) {
    addRendered(seconds: song.seconds, hasWarnings: !song.warnings.isEmpty)
  }

  private mutating func addRendered(seconds: Double, hasWarnings: Bool) {
    rendered += 1
    self.seconds += seconds
    if hasWarnings { withWarnings += 1 }
  }

  /// Adds a song that another process has ended.
  mutating func add(_ record: SharedProgress.Record) {
    switch record.stage {
    case .rendered: addRendered(seconds: record.seconds, hasWarnings: record.hasWarnings)
    case .kept: kept += 1
    case .failed: add(Failure.Kind(rawValue: record.failure) ?? .failed)
    case .waiting, .reading, .loading, .playing: break
    }
  }

  mutating func add(_ kind: Failure.Kind) {
    failed += 1
    kinds.insert(kind)
  }

  /// The kind of the failures if all are of one kind, otherwise ``Failure/Kind/failed``; `nil` without failures.
  package var failureKind: Failure.Kind? { kinds.count > 1 ? .failed : kinds.first }
}
