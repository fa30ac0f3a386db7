import Configuration
import FoundationEssentials
import Glibc
import OfflineRenderer

/// One call of `render`: its songs, what is told of them, and the report.
struct RenderRun {
  private let options: RenderOptions
  private let plan: RenderPlan
  private let fonts: FontShelf
  private let report: ReportFile?
  private let earlier: EarlierSongs?
  private let progress: Progress
  private let teller: RenderTeller

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
    let teller = RenderTeller(options, isLibrary: plan.isLibrary)
    self.teller = teller
    fonts = FontShelf(for: plan.jobs, needsHash: options.needsHashes) { found in
      progress.aside { teller.announce(found) }
    }
    // Before the journal is opened: it is read, too.
    earlier = options.resumes ? options.report.map(EarlierSongs.init(report:)) : nil
    report =
      if let path = options.report { try ReportFile(path, resumes: options.resumes) } else { nil }
  }

  func run() throws(Failure) -> ExitCode {
    Terminal.silenceGLib()
    if !options.isQuiet, !options.isJSON { PictureFile.warnOfFonts(plan.jobs) }
    let began = ContinuousClock.now
    // As many as this process may use, which taskset can make fewer than the machine has.
    let threads = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let (fonts, progress, teller, log) = (fonts, progress, teller, report?.log)
    let (options, earlier) = (options, earlier)
    let workshop = workshop(threads)
    let session = RenderSession(plan.jobs, hasOneFont: fonts.isSingle) { job, share in
      SongCommand(
        job: job, fonts: fonts, options: options, earlier: earlier, threads: min(64, share),
        progress: progress, workshop: workshop
      ).run()
    } tell: { job, outcome in
      log?.add(outcome, of: job)
      progress.aside { teller.tell(outcome, of: job) }
    }
    let tally = session.run(threads: threads)
    progress.erase()
    if let interruption = tally.interruption {
      if report != nil, plan.isLibrary { teller.tellOfResuming(tally, of: plan.jobs.count) }
      throw interruption
    }
    try finishReport()
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    // Unless a SoundFont of no use has ended it, which was said.
    if plan.isLibrary, !tally.isCutShort {
      teller.tell(RunSummary(tally, otherFiles: plan.others.count), elapsed: elapsed)
    }
    return tally.exitCode
  }

  /// Each job may take 100 MB beside the SoundFont, all together. Of that the program has its part, and
  /// each song's effects and files have theirs; the rest is for lanes and for notes that come again.
  private func workshop(_ threads: Int) -> SongWorkshop {
    guard plan.isLibrary else { return SongWorkshop(places: threads, cacheBytes: 16 << 20) }
    let (program, song) = (54_000_000, 7_000_000)
    return SongWorkshop(
      places: threads,
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
    head.otherFiles = plan.others.isEmpty ? nil : plan.others
    try report.finish(head)
  }
}
