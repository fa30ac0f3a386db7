import BatchRenderer
import Configuration
import FoundationEssentials
import Glibc
import LocalSystem
import OfflineRenderer
import Synchronization

/// One run of `render`: its songs, their reporting, and the report file.
struct RenderRun {
  private let options: RenderOptions
  private let plan: RenderPlan
  private let fonts: SoundFontPool
  private let report: ReportFile?
  private let earlier: PreviousResults?
  private let policy: ReplacePolicy
  private let progress: Progress
  private let reporter: BatchReporter

  /// - Throws: ``Failure`` if nothing can be rendered.
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

  func run() throws(Failure) -> ExitCode {
    Terminal.silenceGLib()
    FileDescriptorLimit.raise()
    if !options.isQuiet, !options.isJSON { PictureFile.warnOfFonts(plan.jobs) }
    let began = ContinuousClock.now
    // The processors that this process may use, which taskset can restrict.
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
        // Reported in the order of the list, when all are known.
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
    // Not if an unusable SoundFont ended the run, which was already reported.
    if plan.isLibrary, !tally.isCutShort {
      reporter.tell(RunSummary(tally, skipped: plan.skipped), elapsed: elapsed)
    }
    try reporter.checkOutput()
    return ExitCode(tally.failureKind)
  }

  /// Returns the resources that all songs share. A run of several songs may use 100 MB for each song in progress, in
  /// addition to the SoundFont. Of the sum, 54 MB are reserved for the program and 7 MB for the effects and files of
  /// each
  /// song; the rest is for lanes and recurring notes.
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
    // An unusable SoundFont was already reported for each song.
    head.soundFont = fonts.description(of: options.song.soundFont)
    func list(_ paths: [String]) -> [String]? { paths.isEmpty ? nil : paths }
    head.otherFiles = list(plan.skipped.others)
    head.skippedLinks = list(plan.skipped.links)
    head.skippedMounts = list(plan.skipped.mounts)
    try report.finish(head)
  }
}
