import BatchRenderer
import Configuration
import Glibc
import LocalSystem
import Synchronization

/// Reports the results of songs while they are rendered: to users on standard error, to programs on standard output.
struct BatchReporter: Sendable {
  private let options: RenderOptions
  /// Whether each song is reported on a line of its own.
  private let tellsSongs: Bool
  private let outputFault = OutputFault()

  /// The first `errno` of writing to standard output; 0 if there was none.
  private final class OutputFault: Sendable {
    let code = Atomic<CInt>(0)
  }

  /// - Parameter isLibrary: Whether there are many songs, which are reported together in a summary.
  init(_ options: RenderOptions, isLibrary: Bool) {
    self.options = options
    tellsSongs = !options.isQuiet && !options.isJSON && (options.isVerbose || !isLibrary)
  }

  /// Reports which SoundFont is used and why. Called when it is first played, so that an earlier error stands alone.
  func announce(_ soundFont: FoundSoundFont) {
    if options.isJSON {
      write("soundFont", RenderReport.SoundFont(soundFont))
    } else if !options.isQuiet {
      Terminal.note("SoundFont: \(soundFont.path) (\(soundFont.origin))")
    }
  }

  /// Reports the outcome of a song.
  func tell(_ outcome: RenderSession.Outcome, of job: RenderPlan.Job) {
    switch outcome {
    case .rendered(let song):
      if options.isJSON { write("song", song.entry) }
      guard tellsSongs else { return }
      for warning in song.entry.warnings { Terminal.note("\(job.input): warning: \(warning)") }
      Terminal.note(song.summary(options.song))
    case .kept(let song):
      if options.isJSON { write("song", song) }
      if tellsSongs { Terminal.note("\(song.output): there already") }
    case .planned(let song):
      if options.isJSON {
        write("plan", song)
      } else {
        write(song.text)
      }
    case .failed(let failure):
      guard failure.signal == nil else { return }
      Terminal.complain(failure.message)
      if options.isJSON {
        write("error", RenderReport.SongError(input: job.input, index: job.index, failure))
      }
    }
  }

  func tell(_ summary: RunSummary, elapsed: Double) {
    if options.isJSON {
      write("summary", summary)
    } else if !options.isQuiet {
      Terminal.note(summary.text(elapsed: elapsed, isDryRun: options.isDryRun))
    }
  }

  /// Reports an interrupted run whose journal remains for `--resume`.
  func tellOfResuming(_ tally: BatchTally, of songs: Int) {
    guard !options.isQuiet else { return }
    Terminal.note(
      "interrupted: \(tally.rendered + tally.kept) of \(songs) songs are done; "
        + "the same command with --resume goes on from there")
  }

  /// Writes a line of JSON.
  private func write(_ kind: String, _ value: some Encodable) {
    write(JSONOutput.render.line([kind: value]))
  }

  private func write(_ text: String) {
    if Terminal.write(text, to: STDOUT_FILENO) { return }
    _ = outputFault.code.compareExchange(expected: 0, desired: errno, ordering: .relaxed)
  }

  /// - Throws: ``Failure`` if standard output did not accept everything.
  func checkOutput() throws(Failure) {
    let code = outputFault.code.load(ordering: .relaxed)
    if code == 0 { return }
    throw .standardOutput(code)
  }
}
