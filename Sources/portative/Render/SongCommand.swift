import AudioFile
import FluidSynthInstrument
import Glibc
import MIDIFile
import OfflineRenderer

/// Renders one song of a plan.
struct SongCommand {
  let job: RenderPlan.Job
  let format: AudioFormat
  let soundFont: SoundFont
  let options: RenderOptions
  let threads: Int
  let progress: Progress
  /// Called when there is sound, and so the SoundFont is of use; more than once.
  let onSound: @Sendable () -> Void

  /// - Throws: ``Failure`` with the exit code for what went wrong; no file is left then.
  func run() throws(Failure) -> RenderedSong {
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
    let began = ContinuousClock.now
    let song = try SongFile.decode(job.input)
    let repairs = Warnings.of(song)
    if options.isStrict { try SongFile.refuse(repairs, job.input) }
    let title = song.title
    let report = try render(consume song, title: title)
    onSound()
    let warnings = repairs + Warnings.of(report, options.song, format)
    return RenderedSong(
      entry: .init(input: job.input, output: job.outputName, report, warnings: warnings),
      elapsed: (ContinuousClock.now - began) / .seconds(1))
  }

  private func render(
    _ song: consuming StandardMIDIFile, title: String?
  ) throws(Failure) -> SongReport {
    var settings = options.song.settings
    settings.threads = threads
    var share: Progress.Share?
    defer { if let share { progress.end(share) } }
    do throws(RenderError) {
      return try SongRenderer(soundFont: soundFont, settings: settings).render(
        consume song,
        to: try SongFile.open(
          job.destination, format, options.song, title: title,
          measuresLoudness: options.measuresLoudness),
        begin: { share = progress.begin(seconds: $0) },
        progress: { seconds in
          onSound()
          if var left = share {
            progress.advance(&left, by: seconds)
            share = left
          }
        },
        isCancelled: { Interruption.signal != nil },
        accept: { !options.isStrict || Warnings.of($0, options.song, format).isEmpty })
    } catch {
      if case .refused(let report) = error {
        try SongFile.refuse(Warnings.of(report, options.song, format), job.input)
      }
      throw Failure(error, input: job.input)
    }
  }
}
