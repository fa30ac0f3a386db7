import BatchRenderer
import Configuration
import Glibc
import LocalSystem
import Synchronization

/// Reports a run of `render`: to users on standard error, to programs on standard output.
///
/// Threads: any.
final class RenderReporter: RenderObserver {
  private let plan: RenderPlan
  private let options: RenderOptions
  private let display: DisplayOptions
  private let progress: Progress
  /// Whether each song is reported on a line of its own.
  private let showsSongs: Bool
  /// The first `errno` of writing to standard output; 0 if there was none.
  private let outputError = Atomic<CInt>(0)

  init(_ plan: RenderPlan, _ options: RenderOptions, _ display: DisplayOptions) {
    self.plan = plan
    self.options = options
    self.display = display
    showsSongs = display.showsMessages && (display.isVerbose || !plan.isLibrary)
    progress = Progress(
      .init(
        name: plan.isLibrary ? nil : plan.jobs.first?.input, songs: plan.jobs.count,
        weight: plan.jobs.reduce(0) { $0 + $1.weight }),
      isShown: display.showsMessages)
  }

  func willContinue(after ended: [RenderPlan.Job]) {
    for job in ended { progress.end(song: job.index, weight: job.weight) }
  }

  func willPlay(with soundFont: FoundSoundFont) {
    progress.aside {
      if display.isJSON {
        write("soundFont", RenderReport.SoundFont(soundFont))
      } else if !display.isQuiet {
        Terminal.note("SoundFont: \(soundFont.path) (\(soundFont.origin))")
      }
    }
  }

  func didBegin(_ job: RenderPlan.Job, seconds: Double) {
    progress.begin(song: job.index, seconds: seconds, weight: job.weight)
  }

  func didAdvance(_ job: RenderPlan.Job, by seconds: Double) {
    progress.advance(song: job.index, by: seconds)
  }

  func didEnd(_ job: RenderPlan.Job, _ outcome: SongOutcome) {
    progress.end(song: job.index, weight: job.weight)
    progress.aside { report(job, outcome) }
  }

  private func report(_ job: RenderPlan.Job, _ outcome: SongOutcome) {
    switch outcome {
    case .rendered(let song):
      if display.isJSON { write("song", song.entry) }
      guard showsSongs else { return }
      for warning in song.entry.warnings { Terminal.note("\(job.input): warning: \(warning)") }
      if song.entry.embeddedSoundFont?.isUsed == true {
        Terminal.note("\(job.input): plays with the SoundFont in it")
      }
      if let loop = song.entry.loop { Terminal.note("\(job.input): \(loop.text)") }
      if display.isVerbose {
        for messages in song.entry.ignored ?? [] {
          Terminal.note("\(job.input): no effect: \(messages.text.printable)")
        }
      }
      Terminal.note(song.summary(options.song))
    case .kept(let song):
      if display.isJSON { write("song", song) }
      if showsSongs { Terminal.note("\(song.output): already rendered") }
    case .planned(let song):
      if display.isJSON { write("plan", song) } else { write(song.text) }
    case .failed(let failure):
      guard failure.signal == nil else { return }
      Terminal.complain(failure.message)
      if display.isJSON {
        write("error", RenderReport.SongError(input: job.input, index: job.index, failure))
      }
    }
  }

  /// Reports the end of the run.
  ///
  /// - Parameter isResumable: Whether an interrupted run can be continued with `--resume`.
  /// - Throws: ``Failure`` if a signal interrupted the run, or if standard output did not accept everything.
  func finish(_ tally: BatchTally, elapsed: Double, isResumable: Bool) throws(Failure) {
    progress.erase()
    if let interruption = tally.interruption {
      if plan.isLibrary, !display.isQuiet {
        Terminal.note(
          "interrupted: \(tally.rendered + tally.kept) of \(plan.jobs.count) songs are done"
            + (tally.failed > 0 ? ", \(tally.failed) failed" : "")
            + (isResumable ? "; to continue, repeat the command with --resume" : ""))
      }
      throw interruption
    }
    if tally.isOutOfSpace {
      Terminal.note(
        "ended, because there was no space for \(BatchTally.mostSongsWithoutSpace) songs in a row: \(tally.rendered + tally.kept) of "
          + "\(plan.jobs.count) songs are done; free some space, and "
          + (isResumable ? "repeat the command with --resume" : "render the others"))
    }
    // Not if an unusable SoundFont ended the run, which was already reported.
    if plan.isLibrary, !tally.isCutShort {
      let summary = RunSummary(tally, skipped: plan.skipped)
      if display.isJSON {
        write("summary", summary)
      } else if !display.isQuiet {
        Terminal.note(
          summary.text(
            elapsed: elapsed, isDryRun: options.isDryRun, showsWarnings: display.isVerbose))
      }
    }
    let code = outputError.load(ordering: .relaxed)
    if code != 0 { throw .standardOutput(code) }
  }

  /// Writes a line of JSON.
  private func write(_ kind: String, _ value: some Encodable) {
    write(JSONOutput.render.line([kind: value]))
  }

  private func write(_ output: OutputText) {
    if Terminal.write(output, to: STDOUT_FILENO) { return }
    _ = outputError.compareExchange(expected: 0, desired: errno, ordering: .relaxed)
  }
}

extension PlannedSong {
  /// One line for each file, such as `would write out/a.wav`.
  fileprivate var text: OutputText {
    files.map { "would \($0.replaces ? "replace" : "write") \($0.path)\n" }
      .joined()
  }
}
