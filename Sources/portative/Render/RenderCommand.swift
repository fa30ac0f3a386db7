import AudioFile
import Configuration
import FluidSynthInstrument
import FoundationEssentials
import Glibc
import OfflineRenderer

/// The verb `render`.
enum RenderCommand {
  /// - Parameter arguments: Those after `render`.
  static func run(_ arguments: [String]) -> ExitCode {
    var isJSON = arguments.contains("--json")
    do throws(Failure) {
      let options = try RenderOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.render) }
      isJSON = options.isJSON
      let plan = try RenderPlan(options)
      if options.output == "-", Terminal.outputIsTerminal {
        throw .usage("audio cannot be shown on a terminal: send it to a file or a pipe")
      }
      return try render(plan, options)
    } catch {
      // Here, where every half-written file has been removed.
      if let signal = error.signal { Interruption.end(by: signal) }
      complain(error, input: nil, isJSON: isJSON)
      return error.code
    }
  }

  private static func render(
    _ plan: RenderPlan, _ options: RenderOptions
  ) throws(Failure) -> ExitCode {
    let soundFont: FoundSoundFont
    do throws(SoundFontError) {
      soundFont = try SoundFontSearch().find(option: options.song.soundFont)
    } catch {
      throw Failure(error)
    }
    let loadedOnce = try open(soundFont)
    Terminal.silenceGLib()
    let reportFile: OutputFile? =
      if let path = options.report { try RenderReport.open(path) } else { nil }
    let progress = Progress(
      name: plan.jobs.count == 1 ? plan.jobs[0].input : "\(plan.jobs.count) songs",
      songs: plan.jobs.count, isShown: !options.isQuiet && !options.isJSON)
    let announcement = Once { progress.aside { announce(soundFont, options) } }
    if options.isJSON { announcement.run() }
    // As many as this process may use, which taskset can make fewer than the machine has.
    let threads = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let session = RenderSession(plan.jobs) { job throws(Failure) in
      try SongCommand(
        job: job, format: plan.format, soundFont: loadedOnce, options: options,
        threads: max(1, min(64, threads / plan.jobs.count)), progress: progress,
        onSound: { announcement.run() }
      ).run()
    } tell: { job, outcome in
      progress.aside { tell(outcome, of: job, options) }
    }
    let outcomes = session.run(threads: threads)
    progress.erase()
    if let interruption = outcomes.lazy.compactMap(\.failure).first(where: { $0.signal != nil }) {
      throw interruption
    }
    if let reportFile {
      var report = RenderReport(
        soundFont: .init(soundFont), settings: .init(options.song, format: plan.format))
      for (job, outcome) in zip(plan.jobs, outcomes) { report.add(outcome, of: job) }
      try report.write(to: reportFile)
    }
    return RenderSession.exitCode(of: outcomes)
  }

  private static func open(_ found: FoundSoundFont) throws(Failure) -> SoundFont {
    do throws(InstrumentError) {
      return try SoundFont.open(found.path)
    } catch {
      throw Failure(error)
    }
  }

  /// Which SoundFont is played, and why, is always said: to people once it does play, so that
  /// an error before that stands alone.
  private static func announce(_ soundFont: FoundSoundFont, _ options: RenderOptions) {
    if options.isJSON {
      Terminal.write(RenderReport.line(RenderReport.SoundFont(soundFont)), to: STDOUT_FILENO)
    } else if !options.isQuiet {
      Terminal.note("SoundFont: \(soundFont.path) (\(soundFont.origin))")
    }
  }

  /// Says what became of a song.
  private static func tell(
    _ outcome: RenderSession.Outcome, of job: RenderPlan.Job, _ options: RenderOptions
  ) {
    switch outcome {
    case .success(let song):
      if options.isJSON {
        Terminal.write(RenderReport.line(song.entry), to: STDOUT_FILENO)
      } else if !options.isQuiet {
        for warning in song.entry.warnings { Terminal.note("\(job.input): warning: \(warning)") }
        Terminal.note(song.summary)
      }
    case .failure(let failure):
      if failure.signal == nil {
        complain(failure, input: job.input, isJSON: options.isJSON)
      }
    }
  }

  /// On standard error for people, and on standard output for programs that asked for JSON.
  private static func complain(_ failure: Failure, input: String?, isJSON: Bool) {
    Terminal.complain(failure.message)
    if isJSON {
      Terminal.write(RenderReport.line(.init(input: input, failure)), to: STDOUT_FILENO)
    }
  }
}
