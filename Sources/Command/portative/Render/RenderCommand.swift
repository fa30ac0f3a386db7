import BatchRenderer
import LocalSystem
import OfflineRenderer

/// The verb `render`.
enum RenderCommand {
  /// - Parameter arguments: The arguments after `render`.
  static func run(_ arguments: [String]) throws(Failure) -> ExitCode {
    let arguments = try RenderArguments(arguments)
    let (options, display) = (arguments.run, arguments.display)
    if display.wantsHelp { return try Command.write(Help.render) }
    try Terminal.refuseAudio(options.output)
    let session = try RenderSession(options)
    Terminal.silenceGLib()
    if display.showsMessages { warnOfMissingFonts(session.plan.jobs) }
    let began = ContinuousClock.now
    let reporter = RenderReporter(session.plan, options, display)
    let tally = try session.run(reporter, isIsolated: true)
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    try reporter.finish(tally, elapsed: elapsed, isResumable: session.isResumable)
    return ExitCode(tally.failureKind)
  }

  private static func warnOfMissingFonts(_ jobs: [RenderPlan.Job]) {
    let hasImages = jobs.contains { (try? $0.work.get().options.image != nil) == true }
    if !hasImages || PictureFile.hasFonts { return }
    Terminal.note(
      "warning: no fonts are installed, so pictures have no text: apt install fonts-dejavu-core")
  }
}
