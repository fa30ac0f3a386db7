import Synchronization

/// Renders the songs of a plan, several at a time, and tells of them in the order they were named.
///
/// One song's failure does not stop the others; an interruption or a useless SoundFont does.
final class RenderSession: Sendable {
  typealias Outcome = Result<RenderedSong, Failure>

  private struct State {
    var outcomes: [Outcome?]
    /// How many have been told of.
    var told = 0
    var isStopped = false
    /// What stopped it; songs that were under way may end in the same.
    var lastWord: Failure?
  }
  private let state: Mutex<State>
  private let jobs: [RenderPlan.Job]
  private let render: @Sendable (RenderPlan.Job) throws(Failure) -> RenderedSong
  private let tell: @Sendable (RenderPlan.Job, Outcome) -> Void

  /// - Parameters:
  ///   - render: Renders one song to its destination; from time to time it looks at
  ///     ``Interruption/signal``, and throws ``Failure/interrupted(by:)``.
  ///   - tell: Is called for each song in the order of `jobs`, never from two threads at once.
  init(
    _ jobs: [RenderPlan.Job],
    render: @escaping @Sendable (RenderPlan.Job) throws(Failure) -> RenderedSong,
    tell: @escaping @Sendable (RenderPlan.Job, Outcome) -> Void
  ) {
    state = Mutex(State(outcomes: Array(repeating: nil, count: jobs.count)))
    self.jobs = jobs
    self.render = render
    self.tell = tell
  }

  /// - Parameter threads: How many songs at the same time.
  /// - Returns: What became of the songs, in their order; after an interruption, of those that had
  ///   been begun.
  func run(threads: Int) -> [Outcome] {
    inParallel(jobs.count, threads: threads) { index in
      if self.state.withLock({ $0.isStopped }) { return }
      self.finish(index, Result { () throws(Failure) in try self.render(self.jobs[index]) })
    }
    return state.withLock { $0.outcomes.compactMap(\.self) }
  }

  private func finish(_ index: Int, _ outcome: Outcome) {
    state.withLock { state in
      state.outcomes[index] = outcome
      if let failure = outcome.failure, failure.endsAll { state.isStopped = true }
      while state.told < jobs.count, let next = state.outcomes[state.told] {
        let ending = next.failure.flatMap { $0.endsAll ? $0 : nil }
        if ending == nil || ending != state.lastWord { tell(jobs[state.told], next) }
        state.lastWord = ending ?? state.lastWord
        state.told += 1
      }
    }
  }

  /// The exit code for all songs: that of the failures if they agree, else ``ExitCode/failed``.
  static func exitCode(of outcomes: [Outcome]) -> ExitCode {
    let codes = Set(outcomes.map(\.exitCode)).subtracting([.done])
    return codes.count > 1 ? .failed : codes.first ?? .done
  }
}

extension RenderSession.Outcome {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  fileprivate var exitCode: ExitCode {
    failure?.code ?? .done
  }
}
