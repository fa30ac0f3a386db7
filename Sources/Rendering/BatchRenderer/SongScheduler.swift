import LocalSystem
import Synchronization

/// Renders songs, several at a time, and reports each when it is done.
///
/// The failure of one song does not stop the others. An interruption does, and so does an unusable SoundFont if all
/// songs use it, and a disk that stays full.
final class SongScheduler: Sendable {
  private struct State {
    var tally = BatchTally()
    var endedSongs = 0
    /// The last failure that ended the run. Songs that were in progress may fail with the same one, which is not
    /// reported again.
    var finalFailure: Failure?
    /// The number of songs in a row for which there was no space.
    var songsWithoutSpace = 0
  }
  private let state: Mutex<State>
  /// The number of songs in progress beyond the number of threads, so that some can read or write files while others
  /// are rendered.
  private static let additionalSongs = 2
  /// In the order in which they are started.
  private let jobs: [RenderPlan.Job]
  private let render: @Sendable (RenderPlan.Job, Int) -> SongOutcome
  private let report: @Sendable (RenderPlan.Job, SongOutcome) -> Void
  private let hasOneFont: Bool

  /// - Parameters:
  ///   - jobs: The songs.
  ///   - tally: The outcomes of songs that have already ended.
  ///   - hasOneFont: Whether all songs use one SoundFont, so that its failure ends the run.
  ///   - render: Renders one song to its destination with the given number of threads. It must check
  ///     ``Interruption/signal`` regularly and fail with ``Failure/interrupted(by:)``.
  ///   - report: Called for each song when it is done, by one thread at a time.
  init(
    _ jobs: [RenderPlan.Job], tally: BatchTally = BatchTally(), hasOneFont: Bool = true,
    render: @escaping @Sendable (RenderPlan.Job, _ threads: Int) -> SongOutcome,
    report: @escaping @Sendable (RenderPlan.Job, SongOutcome) -> Void
  ) {
    state = Mutex(State(tally: tally))
    self.jobs = jobs.inWorkingOrder
    self.hasOneFont = hasOneFont
    self.render = render
    self.report = report
  }

  /// Renders the songs and waits for them.
  ///
  /// - Parameter threads: The number of songs to render at the same time. When fewer songs remain, each gets more
  ///   threads.
  /// - Returns: The outcomes of the songs; after an interruption, only of those that were started.
  func run(threads: Int) -> BatchTally {
    inParallel(jobs.count, threads: threads + Self.additionalSongs) { index in
      let (isCutShort, remaining) = self.state.withLock {
        ($0.tally.isCutShort, self.jobs.count - $0.endedSongs)
      }
      if isCutShort { return }
      let job = self.jobs[index]
      self.end(job, self.render(job, max(1, threads / remaining)))
    }
    return state.withLock(\.tally)
  }

  private func end(_ job: RenderPlan.Job, _ outcome: SongOutcome) {
    state.withLock { state in
      state.endedSongs += 1
      state.tally.add(outcome)
      guard case .failed(let failure) = outcome else {
        state.songsWithoutSpace = 0
        report(job, outcome)
        return
      }
      if endsRun(failure) {
        state.tally.isCutShort = true
        if state.finalFailure == failure { return }
        state.finalFailure = failure
      }
      state.songsWithoutSpace = failure.isOutOfSpace ? state.songsWithoutSpace + 1 : 0
      if state.songsWithoutSpace >= BatchTally.mostSongsWithoutSpace, jobs.count > state.endedSongs
      {
        state.tally.isCutShort = true
        state.tally.isOutOfSpace = true
      }
      report(job, outcome)
    }
  }

  private func endsRun(_ failure: Failure) -> Bool {
    failure.signal != nil || (hasOneFont && failure.kind == .soundFontUnusable)
  }
}

extension RenderPlan.Job {
  /// The name of the SoundFont; `nil` if the job is invalid. A SoundFont that was not named is `.some(nil)`.
  var playedSoundFont: String?? {
    if case .success(let work) = work { .some(work.options.soundFont) } else { nil }
  }
}

extension [RenderPlan.Job] {
  /// The jobs in the order in which they are started: songs of one SoundFont together, so that few SoundFonts are
  /// loaded at a time, and among them the heaviest first, so that the last one does not take long.
  var inWorkingOrder: [RenderPlan.Job] {
    func font(_ job: RenderPlan.Job) -> String { (try? job.work.get().options.soundFont) ?? "" }
    return sorted { one, other in
      let (first, second) = (font(one), font(other))
      return first == second
        ? (other.weight, one.index) < (one.weight, other.index) : first < second
    }
  }
}
