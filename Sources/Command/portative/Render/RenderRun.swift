import BatchRenderer
import Configuration
import FoundationEssentials
import Glibc
import LocalSystem
import OfflineRenderer
import Synchronization

/// One call of `render`: its songs, what is told of them, and the report.
struct RenderRun {
  private let options: RenderOptions
  private let plan: RenderPlan
  private let fonts: SoundFontPool
  private let report: ReportFile?
  private let earlier: PreviousResults?
  private let policy: ReplacePolicy
  private let progress: Progress
  private let reporter: BatchReporter

  /// - Throws: When nothing can be rendered.
  init(_ options: RenderOptions) throws(Failure) {
    self.options = options
    plan = try RenderPlan(options)
    let songs = plan.jobs.count
    let progress = Progress(
      .init(
        name: plan.isLibrary ? nil : plan.jobs.first?.input, songs: songs,
        weight: plan.jobs.reduce(0) { $0 + $1.weight }),
      isShown: !options.isQuiet && !options.isJSON)
    self.progress = progress
    let reporter = BatchReporter(options, isLibrary: plan.isLibrary)
    self.reporter = reporter
    fonts = SoundFontPool(for: plan.jobs, needsHash: options.needsHashes) { found in
      progress.aside { reporter.announce(found) }
    }
    // Before the journal is opened: it is read, too.
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

  func run() throws(Failure) -> ExitCode {
    Terminal.silenceGLib()
    FileDescriptorLimit.raise()
    if !options.isQuiet, !options.isJSON { PictureFile.warnOfFonts(plan.jobs) }
    let began = ContinuousClock.now
    // As many as this process may use, which taskset can make fewer than the machine has.
    let threads = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let (fonts, progress, reporter, log) = (fonts, progress, reporter, report?.log)
    let (options, earlier, policy) = (options, earlier, policy)
    let planned = Mutex<[(RenderPlan.Job, RenderSession.Outcome)]>([])
    let resources = resources(threads)
    let session = RenderSession(plan.jobs, hasOneFont: fonts.isSingle) { job, share in
      SongCommand(
        job: job, fonts: fonts, options: options, earlier: earlier, policy: policy,
        threads: min(64, share), progress: progress, resources: resources
      ).run()
    } tell: { job, outcome in
      log?.add(outcome, of: job)
      if case .planned = outcome {
        // Told in the order of the list, when all are known.
        planned.withLock { $0.append((job, outcome)) }
      } else {
        progress.aside { reporter.tell(outcome, of: job) }
      }
    }
    let tally = session.run(threads: threads)
    progress.erase()
    for (job, outcome) in planned.withLock({ $0 }).sorted(by: { $0.0.index < $1.0.index }) {
      reporter.tell(outcome, of: job)
    }
    if let interruption = tally.interruption {
      if report != nil, plan.isLibrary { reporter.tellOfResuming(tally, of: plan.jobs.count) }
      throw interruption
    }
    try finishReport()
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    // Unless a SoundFont of no use has ended it, which was said.
    if plan.isLibrary, !tally.isCutShort {
      reporter.tell(RunSummary(tally, skipped: plan.skipped), elapsed: elapsed)
    }
    try reporter.checkOutput()
    return ExitCode(tally.failureKind)
  }

  /// Each job may take 100 MB beside the SoundFont, all together. Of that the program has its part, and
  /// each song's effects and files have theirs; the rest is for lanes and for notes that come again.
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

  private func finishReport() throws(Failure) {
    guard let report else { return }
    var head = RenderReport(
      settings: .init(options.song, format: try options.song.format(of: options.output)))
    head.list = plan.list
    // One that is of no use has been told of song by song.
    head.soundFont = fonts.description(of: options.song.soundFont)
    func list(_ paths: [String]) -> [String]? { paths.isEmpty ? nil : paths }
    head.otherFiles = list(plan.skipped.others)
    head.skippedLinks = list(plan.skipped.links)
    head.skippedMounts = list(plan.skipped.mounts)
    try report.finish(head)
  }
}
