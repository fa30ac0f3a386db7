import AudioFile
import FluidSynthEngine
import Glibc
import LocalSystem
import MIDIFile
package import OfflineRenderer
import Threads

/// Renders one song of a plan, unless an earlier run has already rendered it.
package struct SongCommand {
  private let job: RenderPlan.Job
  private let fonts: SoundFontPool
  private let options: RenderOptions
  private let earlier: PreviousResults?
  private let policy: ReplacePolicy
  private let threads: Int
  private let progress: any RenderProgress
  private let resources: SharedRenderResources

  package init(
    job: RenderPlan.Job, fonts: SoundFontPool, options: RenderOptions, earlier: PreviousResults?,
    policy: ReplacePolicy, threads: Int, progress: any RenderProgress,
    resources: SharedRenderResources
  ) {
    self.job = job
    self.fonts = fonts
    self.options = options
    self.earlier = earlier
    self.policy = policy
    self.threads = threads
    self.progress = progress
    self.resources = resources
  }

  package func run() -> RenderSession.Outcome {
    var share: SongProgress?
    defer { progress.end(share, weight: job.weight) }
    do throws(Failure) {
      let work = try job.work.get()
      defer { fonts.release(work.options.soundFont) }
      return try outcome(work, &share)
    } catch {
      return .failed(error)
    }
  }

  /// - Throws: ``Failure`` with the exit code of the error; no file of the song remains.
  private func outcome(
    _ work: RenderPlan.Work, _ share: inout SongProgress?
  ) throws(Failure) -> RenderSession.Outcome {
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
    let began = ContinuousClock.now
    let font = try fonts.font(work.options.soundFont)
    let bytes = try InputFile.read(job.input, below: job.root)
    let inputHash = options.needsHashes ? ContentHash.of(bytes) : nil
    let settings = RenderReport.Settings(work.options, format: work.format)
    let recipe = font.hash.map { RenderReport.recipe(settings, soundFontHash: $0) }
    if let song = kept(work, inputHash, recipe) {
      return .kept(song)
    }
    let song = try SongFile.decode(bytes, job.input)
    if options.isDryRun { return .planned(try PlannedSong(job, work, policy)) }
    let repairs = Warnings.of(song)
    if options.isStrict { try SongFile.refuse(repairs, job.input) }
    let title = song.title
    let report = try render(consume song, title: title, work, font, &share)
    font.announcement.run()
    let warnings = repairs + Warnings.of(report, work.options, work.format)
    var entry = RenderReport.Song(
      input: job.input, output: work.outputName, report, warnings: warnings)
    entry.index = job.index
    entry.inputHash = inputHash
    entry.recipe = recipe
    if options.needsHashes { entry.files = try work.writtenFiles(of: entry) }
    if work.options != options.song { entry.settings = settings }
    if work.options.soundFont != options.song.soundFont {
      entry.soundFont = .init(font.found, hash: font.hash)
    }
    return .rendered(
      RenderedSong(entry: entry, elapsed: (ContinuousClock.now - began) / .seconds(1)))
  }

  private func kept(
    _ work: RenderPlan.Work, _ inputHash: String?, _ recipe: String?
  ) -> RenderReport.Song? {
    guard let earlier, let inputHash, let recipe, case .file(let path) = work.destination,
      var song = earlier.complete(output: path, inputHash: inputHash, recipe: recipe),
      !options.isStrict || song.warnings.isEmpty
    else { return nil }
    song.index = job.index
    song.input = job.input
    return song
  }

  private func render(
    _ song: consuming StandardMIDIFile, title: String?, _ work: RenderPlan.Work,
    _ font: SoundFontPool.Font, _ share: inout SongProgress?
  ) throws(Failure) -> SongReport {
    let picture = try work.pictureFile(
      title: title, input: job.input, soundFont: font.font.path, policy)
    var settings = work.options.settings
    settings.threads = threads
    do throws(RenderError) {
      return try SongRenderer(
        soundFont: font.font, settings: settings, resources: resources
      ).render(
        consume song,
        to: try SongFile.open(
          work, title: title, measuresLoudness: options.measuresLoudness, picture: picture,
          rules: work.rules(policy)),
        stems: work.stems(policy),
        begin: { share = progress.begin(seconds: $0, weight: job.weight) },
        progress: { seconds in
          font.announcement.run()
          if var left = share {
            progress.advance(&left, by: seconds)
            share = left
          }
        },
        isCancelled: { Interruption.signal != nil },
        accept: { !options.isStrict || Warnings.of($0, work.options, work.format).isEmpty })
    } catch {
      if case .refused(let report) = error {
        try SongFile.refuse(Warnings.of(report, work.options, work.format), job.input)
      }
      throw Failure(error, input: job.input)
    }
  }
}
