import FoundationEssentials
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
  /// - Throws: ``Failure`` if the report cannot be written. Failures of songs are in the result.
  package func run(_ observer: any RenderObserver) throws(Failure) -> BatchTally {
    FileDescriptorLimit.raise()
    // The processors that this process may use, which taskset can restrict.
    let threads = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let fonts = SoundFontPool(for: plan.jobs, needsHash: options.report != nil) {
      observer.willPlay(with: $0)
    }
    let renderer = JobRenderer(
      options: options, fonts: fonts, earlier: earlier, policy: policy,
      resources: resources(threads), observer: observer)
    let journal = report?.journal
    let ended = Mutex<[(RenderPlan.Job, SongOutcome)]>([])
    let tally = SongScheduler(plan.jobs, hasOneFont: fonts.isSingle) { job, threads in
      renderer.render(job, threads: min(64, threads))
    } report: { job, outcome in
      journal?.add(outcome, of: job)
      if case .planned = outcome {
        ended.withLock { $0.append((job, outcome)) }
      } else {
        observer.didEnd(job, outcome)
      }
    }.run(threads: threads)
    for (job, outcome) in ended.withLock(\.self).sorted(by: { $0.0.index < $1.0.index }) {
      observer.didEnd(job, outcome)
    }
    if tally.interruption == nil { try report?.finish(reportHead(fonts)) }
    return tally
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

  private func reportHead(_ fonts: SoundFontPool) throws(Failure) -> RenderReport {
    var head = RenderReport(
      settings: .init(options.song, format: try options.song.format(of: options.output)))
    head.list = plan.list
    // An unusable SoundFont was already reported for each song.
    head.soundFont = fonts.description(of: options.song.soundFont)
    func list(_ paths: [String]) -> [String]? { paths.isEmpty ? nil : paths }
    head.otherFiles = list(plan.skipped.others)
    head.skippedLinks = list(plan.skipped.links)
    head.skippedMounts = list(plan.skipped.mounts)
    return head
  }
}
