import FoundationEssentials
import Glibc
package import LocalSystem
import OfflineRenderer
import Synchronization

/// One run: renders the songs of a plan and writes the report.
package struct RenderSession {
  package let plan: RenderPlan
  private let options: RenderOptions
  private let report: ReportFile?
  private let earlier: PreviousResults?
  private let policy: ReplacePolicy
  private let newFolders: NewFolders

  /// Plans the run and opens the report.
  ///
  /// - Throws: ``Failure`` if nothing can be rendered.
  package init(_ options: RenderOptions) throws(Failure) {
    self.options = options
    plan = try RenderPlan(options)
    // Must precede opening the journal, which is read here.
    let earlier = options.report.flatMap { path in
      path == "-" ? nil : PreviousResults(report: path, hasJournal: options.resumes)
    }
    self.earlier = options.resumes ? earlier : nil
    newFolders = NewFolders(plan.jobs)
    policy = ReplacePolicy(overwrites: options.overwrites, earlier: earlier)
    report =
      if let path = options.report, !options.isDryRun {
        try ReportFile(path, resumes: options.resumes, overwrites: options.overwrites)
      } else {
        nil
      }
  }

  /// Whether an interrupted run can be continued with `--resume`.
  package var isResumable: Bool { report != nil && plan.isLibrary }

  /// Renders the songs. The report is written unless a signal interrupts the run.
  ///
  /// - Parameters:
  ///   - observer: Receives what happens.
  ///   - nodes: Renders the songs that nodes play; `nil`: these fail.
  ///   - isIsolated: Whether to render in child processes, so that the run survives a crash of FluidSynth. Then this
  ///     function returns in the last child only, and the calling process ends as that child. The process must have one
  ///     thread.
  /// - Throws: ``Failure`` if the report cannot be written. Failures of songs are in the result.
  package func run(
    _ observer: any RenderObserver, nodes: (any NodeRendering)? = nil, isIsolated: Bool = false
  ) throws(Failure) -> BatchTally {
    FileDescriptorLimit.raise()
    guard isIsolated, !options.isDryRun, let progress = SharedProgress(plan.jobs) else {
      return try run(nil, .rest, observer, nodes)
    }
    let supervisor = RenderSupervisor(progress: progress, stallLimit: options.maximumStall)
    let assignment = supervisor.fork()
    report?.journal.restore(progress.endedJobs.compactMap { progress[$0].entry })
    observer.willContinue(after: progress.endedJobs)
    // Not on this thread: Swift's locks identify it by its number in the parent, so others could never take over a lock
    // that it holds.
    let result = Mutex<Result<BatchTally, Failure>?>(nil)
    // This thread waits.
    nonisolated(unsafe) let session = self
    let thread: SystemThread
    do {
      thread = try SystemThread(name: "portative-run") {
        let outcome = Result { () throws(Failure) in
          try session.run(progress, assignment, observer, nodes)
        }
        result.withLock { $0 = outcome }
      }
    } catch {
      throw Failure(error)
    }
    thread.join()
    guard let tally = try result.withLock({ $0 })?.get() else {
      throw Failure(.failed, "the thread of the run has ended early")
    }
    // Only the last child reports the run.
    if assignment != .rest { _exit(0) }
    return tally
  }

  private func run(
    _ progress: SharedProgress?, _ assignment: RenderSupervisor.Assignment,
    _ observer: any RenderObserver, _ nodes: (any NodeRendering)?
  ) throws(Failure) -> BatchTally {
    // The processors that this process may use, which taskset can restrict.
    let threads = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let ended = progress?.endedJobs ?? []
    let fonts = SoundFontPool(
      for: plan.jobs, announced: progress?.announced ?? [], needsHash: options.report != nil
    ) {
      observer.willPlay(with: $0)
    }
    for job in ended { if let work = try? job.work.get() { fonts.release(work.options) } }
    progress?.refuseFaultySoundFonts(fonts, stallLimit: options.maximumStall)
    let renderer = JobRenderer(
      options: options, fonts: fonts, earlier: earlier, policy: policy,
      resources: resources(threads), observer: observer, progress: progress, nodes: nodes)
    let journal = report?.journal
    let planned = Mutex<[(RenderPlan.Job, SongOutcome)]>([])
    var tally = BatchTally()
    for job in ended { if let record = progress?[job] { tally.add(record) } }
    tally = SongScheduler(
      jobs(assignment, progress), tally: tally, hasOneFont: fonts.isSingle
    ) { job, threads in
      renderer.render(job, threads: min(64, threads))
    } report: { job, outcome in
      let entry = journal?.add(outcome, of: job)
      if case .planned = outcome {
        planned.withLock { $0.append((job, outcome)) }
      } else {
        observer.didEnd(job, outcome)
      }
      // Last, so that a song is reported even if this process dies now.
      progress?.end(job, outcome, entry)
    }.run(threads: threads)
    for (job, outcome) in planned.withLock(\.self).sorted(by: { $0.0.index < $1.0.index }) {
      observer.didEnd(job, outcome)
    }
    if assignment == .rest, tally.failed > 0 || tally.interruption != nil {
      newFolders.removeEmpty()
    }
    if assignment == .rest, tally.interruption == nil {
      try report?.finish(reportHead(fonts, nodes))
    }
    return tally
  }

  private func jobs(
    _ assignment: RenderSupervisor.Assignment, _ progress: SharedProgress?
  ) -> [RenderPlan.Job] {
    switch assignment {
    case .rest:
      progress.map { progress in plan.jobs.filter { !progress[$0].hasEnded } } ?? plan.jobs
    case .only(let job): [job]
    }
  }

  /// Returns the resources that all songs share. A run of several songs may use 100 MB for each song in progress, in
  /// addition to the SoundFont. Of the sum, 54 MB are reserved for the program and 7 MB for the effects and files of
  /// each song; the rest is for lanes and recurring notes.
  private func resources(_ threads: Int) -> SharedRenderResources {
    guard plan.isLibrary else {
      return SharedRenderResources(concurrencyLimit: threads, cacheBytes: 16 << 20)
    }
    let (program, song) = (54_000_000, 7_000_000)
    return SharedRenderResources(
      concurrencyLimit: threads,
      cacheBytes: min(threads, plan.jobs.count) * (100_000_000 - song) - program,
      holdsLanes: true)
  }

  private func reportHead(
    _ fonts: SoundFontPool, _ nodes: (any NodeRendering)?
  ) throws(Failure) -> RenderReport {
    var head = RenderReport(
      settings: .init(
        options.song, format: try options.song.format(of: options.output), nodes: nodes))
    head.list = plan.list
    // An unusable SoundFont was already reported for each song.
    if options.song.usesSoundFont {
      head.soundFont = fonts.description(of: options.song.soundFont)
    }
    func list(_ paths: [String]) -> [String]? { paths.isEmpty ? nil : paths }
    head.otherFiles = list(plan.skipped.others)
    head.skippedLinks = list(plan.skipped.links)
    head.skippedMounts = list(plan.skipped.mounts)
    return head
  }
}
