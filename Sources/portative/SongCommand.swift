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
    let song = try decode()
    let repairs = Warnings.of(song)
    if options.isStrict { try refuse(repairs) }
    let report = try render(song)
    onSound()
    let warnings = repairs + Warnings.of(report, options, format)
    return RenderedSong(
      entry: .init(input: job.input, output: job.outputName, report, warnings: warnings),
      elapsed: (ContinuousClock.now - began) / .seconds(1))
  }

  private func decode() throws(Failure) -> StandardMIDIFile {
    let bytes = try InputFile.read(job.input)
    do throws(StandardMIDIFile.DecodingError) {
      return try StandardMIDIFile(decoding: bytes)
    } catch {
      throw Failure(
        .inputUnusable, "\(InputFile.name(job.input)) cannot be read as a MIDI file: \(error)")
    }
  }

  private func render(_ song: StandardMIDIFile) throws(Failure) -> SongReport {
    var settings = options.settings
    settings.threads = threads
    var share: Progress.Share?
    defer { if let share { progress.end(share) } }
    do throws(RenderError) {
      return try SongRenderer(soundFont: soundFont, settings: settings).render(
        song, to: try openFile(title: song.title),
        begin: { share = progress.begin(seconds: $0) },
        progress: { seconds in
          onSound()
          if var left = share {
            progress.advance(&left, by: seconds)
            share = left
          }
        },
        isCancelled: { Interruption.signal != nil },
        accept: { !options.isStrict || Warnings.of($0, options, format).isEmpty })
    } catch {
      if case .refused(let report) = error { try refuse(Warnings.of(report, options, format)) }
      throw Failure(error, input: job.input)
    }
  }

  /// - Throws: When there is something to warn of.
  private func refuse(_ warnings: [String]) throws(Failure) {
    guard let first = warnings.first else { return }
    let others = warnings.count == 1 ? "" : " (and \(warnings.count - 1) more)"
    throw Failure(
      .warnings, "\(InputFile.name(job.input)) is not rendered under --strict: \(first)\(others)")
  }

  private func openFile(title: String?) throws(RenderError) -> RenderedFile {
    do throws(AudioFileError) {
      return try RenderedFile(
        to: job.destination, format: format, sampleRate: options.sampleRate, title: title,
        measuresLoudness: options.report != nil || options.isJSON)
    } catch {
      throw .file(error)
    }
  }
}

extension StandardMIDIFile {
  /// The name of the song: that of its first track.
  ///
  /// Source: RP-001, "Meta-Event Definitions", FF 03.
  fileprivate var title: String? {
    let name = tracks[0].name?.unicodeScalars.filter { !$0.properties.isControl }
    return name.map { String(String.UnicodeScalarView($0)) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
