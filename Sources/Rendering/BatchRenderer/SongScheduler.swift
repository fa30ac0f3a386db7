package import LocalSystem
import Synchronization
import Threads

/// Renders the songs of a plan, several at a time, and reports each when it is done.
///
/// The failure of one song does not stop the others. An interruption does, and so does an unusable SoundFont if all
/// songs use it.
package final class RenderSession: Sendable {
  package enum Outcome {
    case rendered(RenderedSong)
    /// The song was already rendered by an earlier run.
    case kept(RenderReport.Song)
    /// The song would be rendered; a dry run does not render it.
    case planned(PlannedSong)
    case failed(Failure)
  }

  private struct State {
    package var tally = BatchTally()
    package var begun = 0
    package var ended = 0
    /// The last failure that ended the run. Songs that were in progress may fail with the same one, which is not
    /// reported again.
    package var lastWord: Failure?
  }
  private let state = Mutex(State())
  /// The number of songs in progress beyond the number of threads, so that some can read or write files while others
  /// are rendered.
  private static let songsUnderWay = 2
  /// In the order in which they are started.
  private let jobs: [RenderPlan.Job]
  private let render: @Sendable (RenderPlan.Job, Int) -> Outcome
  private let tell: @Sendable (RenderPlan.Job, Outcome) -> Void
  /// Whether all songs use one SoundFont, so that its failure ends the run.
  private let hasOneFont: Bool

  /// - Parameters:
  ///   - jobs: The songs.
  ///   - hasOneFont: Whether all songs use one SoundFont.
  ///   - render: Renders one song to its destination with the given number of threads. It must check
  ///     ``Interruption/signal`` regularly and fail with ``Failure/interrupted(by:)``.
  ///   - tell: Called for each song when it is done, by one thread at a time.
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

  /// Renders the songs and waits for them.
  ///
  /// - Parameter threads: The number of songs to render at the same time. When fewer songs remain, each gets more
  ///   threads.
  /// - Returns: The outcomes of the songs; after an interruption, only of those that were started.
  package func run(threads: Int) -> BatchTally {
    inParallel(jobs.count, threads: threads + Self.songsUnderWay) { index in
      guard let others = self.begin() else { return }
      let job = self.jobs[index]
      self.finish(job, self.render(job, max(1, threads / (others + 1))))
    }
    return state.withLock(\.tally)
  }

  /// - Returns: The number of other songs that are in progress or waiting; `nil` if no more songs are to be started.
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
  /// The jobs in the order in which they are started: songs of one SoundFont together, so that few SoundFonts are
  /// loaded at a time, and among them the heaviest first, so that the last one does not take long.
  package var inWorkingOrder: [RenderPlan.Job] {
    func font(_ job: RenderPlan.Job) -> String { (try? job.work.get().options.soundFont) ?? "" }
    return sorted { one, other in
      let (first, second) = (font(one), font(other))
      return first == second
        ? (other.weight, one.index) < (one.weight, other.index) : first < second
    }
  }
}
