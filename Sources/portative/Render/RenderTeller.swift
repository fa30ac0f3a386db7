import Configuration
import Glibc

/// What is said of songs while they are rendered: to people on standard error, to programs on
/// standard output.
struct RenderTeller: Sendable {
  private let options: RenderOptions
  /// Whether each song has a line.
  private let tellsSongs: Bool

  /// - Parameter isLibrary: Whether there are many songs, which are told of all together.
  init(_ options: RenderOptions, isLibrary: Bool) {
    self.options = options
    tellsSongs = !options.isQuiet && !options.isJSON && (options.isVerbose || !isLibrary)
  }

  /// Which SoundFont is played, and why, is always said: to people once it does play, so that an
  /// error before that stands alone.
  func announce(_ soundFont: FoundSoundFont) {
    if options.isJSON {
      write(RenderReport.line(RenderReport.SoundFont(soundFont)))
    } else if !options.isQuiet {
      Terminal.note("SoundFont: \(soundFont.path) (\(soundFont.origin))")
    }
  }

  /// Says what became of a song.
  func tell(_ outcome: RenderSession.Outcome, of job: RenderPlan.Job) {
    switch outcome {
    case .rendered(let song):
      if options.isJSON { write(RenderReport.line(song.entry)) }
      guard tellsSongs else { return }
      for warning in song.entry.warnings { Terminal.note("\(job.input): warning: \(warning)") }
      Terminal.note(song.summary)
    case .kept(let song):
      if options.isJSON { write(RenderReport.line(song)) }
      if tellsSongs { Terminal.note("\(song.output): there already") }
    case .failed(let failure):
      guard failure.signal == nil else { return }
      Terminal.complain(failure.message)
      if options.isJSON {
        write(RenderReport.line(.init(input: job.input, index: job.index, failure)))
      }
    }
  }

  func tell(_ summary: RunSummary, elapsed: Double) {
    if options.isJSON {
      write(RenderReport.line(summary))
    } else if !options.isQuiet {
      Terminal.note(summary.text(elapsed: elapsed))
    }
  }

  /// A run was interrupted whose journal stays.
  func tellOfResuming(_ tally: RunTally, of songs: Int) {
    guard !options.isQuiet else { return }
    Terminal.note(
      "interrupted: \(tally.rendered + tally.kept) of \(songs) songs are done; "
        + "the same command with --resume goes on from there")
  }

  private func write(_ line: String) { Terminal.write(line, to: STDOUT_FILENO) }
}
