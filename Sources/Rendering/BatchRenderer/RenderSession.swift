package import LocalSystem
import Synchronization
import Threads

/// Renders the songs of a plan, several at a time, and tells of each when it is done.
///
/// One song's failure does not stop the others; an interruption does, and a useless SoundFont where
/// it is that of all.
package final class RenderSession: Sendable {
  package enum Outcome {
    case rendered(RenderedSong)
    /// It was there already.
    case kept(RenderReport.Song)
    /// It would be rendered.
    case planned(PlannedSong)
    case failed(Failure)
  }

  private struct State {
    package var tally = BatchTally()
    package var begun = 0
    package var ended = 0
    /// What stopped it; songs that were under way may end in the same.
    package var lastWord: Failure?
  }
  private let state = Mutex(State())
  /// How many songs more than are rendered are on their way from or to the disk.
  private static let songsUnderWay = 2
  /// In the order in which they are begun.
  private let jobs: [RenderPlan.Job]
  private let render: @Sendable (RenderPlan.Job, Int) -> Outcome
  private let tell: @Sendable (RenderPlan.Job, Outcome) -> Void
  /// Whether one SoundFont's failure is that of all songs.
  private let hasOneFont: Bool

  /// - Parameters:
  ///   - render: Renders one song to its destination, on so many threads; from time to time it looks
  ///     at ``Interruption/signal``, and fails with ``Failure/interrupted(by:)``.
  ///   - tell: Is called for each song when it is done, never from two threads at once.
  package init(
    _ jobs: [RenderPlan.Job], hasOneFont: Bool = true,
    render: @escaping @Sendable (RenderPlan.Job, _ threads: Int) -> Outcome,
    tell: @escaping @Sendable (RenderPlan.Job, Outcome) -> Void
  ) {
    self.jobs = jobs.inWorkingOrder
    self.hasOneFont = hasOneFont
    self.render = render
    self.tell = tell
  }

  /// - Parameter threads: How many songs at the same time; fewer songs have more threads each.
  /// - Returns: What became of the songs; after an interruption, of those that had been begun.
  package func run(threads: Int) -> BatchTally {
    inParallel(jobs.count, threads: threads + Self.songsUnderWay) { index in
      guard let others = self.begin() else { return }
      let job = self.jobs[index]
      self.finish(job, self.render(job, max(1, threads / (others + 1))))
    }
    return state.withLock(\.tally)
  }

  /// - Returns: How many other songs are under way or still to come; `nil` when no more are begun.
  private func begin() -> Int? {
    state.withLock { state in
      if state.tally.isCutShort { return nil }
      state.begun += 1
      return jobs.count - state.ended - 1
    }
  }

  private func finish(_ job: RenderPlan.Job, _ outcome: Outcome) {
    state.withLock { state in
      state.ended += 1
      state.tally.add(outcome)
      if let failure = outcome.failure, endsAll(failure) {
        state.tally.isCutShort = true
        if state.lastWord == failure { return }
        state.lastWord = failure
      }
      tell(job, outcome)
    }
  }

  private func endsAll(_ failure: Failure) -> Bool {
    failure.signal != nil || (hasOneFont && failure.kind == .soundFontUnusable)
  }
}

extension RenderSession.Outcome {
  package var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

extension [RenderPlan.Job] {
  /// Songs of one SoundFont together, so that few are loaded at a time; and the heaviest first, so
  /// that the last one is soon done.
  package var inWorkingOrder: [RenderPlan.Job] {
    func font(_ job: RenderPlan.Job) -> String { (try? job.work.get().options.soundFont) ?? "" }
    return sorted { one, other in
      let (first, second) = (font(one), font(other))
      return first == second
        ? (other.weight, one.index) < (one.weight, other.index) : first < second
    }
  }
}
