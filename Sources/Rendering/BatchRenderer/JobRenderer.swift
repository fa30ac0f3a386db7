import AudioFile
import ContentHash
import FluidSynthEngine
import LocalSystem
import MIDIFile
import OfflineRenderer

/// Renders the songs of a run, one per call, unless an earlier run has already rendered them.
///
/// Threads: any.
struct JobRenderer: Sendable {
  let options: RenderOptions
  let fonts: SoundFontPool
  let earlier: PreviousResults?
  let policy: ReplacePolicy
  let resources: SharedRenderResources
  let observer: any RenderObserver
  /// Receives the progress of each song; `nil`: no other process watches it.
  let progress: SharedProgress?
  /// Renders the songs that nodes play; `nil`: these fail.
  let nodes: (any NodeRendering)?

  private var hasReport: Bool { options.report != nil }

  /// If the song fails, none of its files remains.
  func render(_ job: RenderPlan.Job, threads: Int) -> SongOutcome {
    progress?.enter(.reading, job)
    do {
      if let failure = progress.flatMap({ fault(of: job, $0[job]) }) { throw failure }
      let work = try job.work.get()
      defer { fonts.release(work.options) }
      return try outcome(job, work, threads: threads)
    } catch {
      return .failed(Failure(error))
    }
  }

  private func outcome(
    _ job: RenderPlan.Job, _ work: RenderPlan.Work, threads: Int
  ) throws -> SongOutcome {
    if let signal = Interruption.signal { throw Failure.interrupted(by: signal) }
    let began = ContinuousClock.now
    let used = try fonts.fonts(work.options)
    let bytes = try InputFile.read(job.input, below: job.root)
    let inputHash = hasReport ? ContentHash.of(bytes) : nil
    let settings = RenderReport.Settings(work.options, format: work.format, nodes: nodes)
    let hashes = used.compactMap(\.font.hash)
    let recipe =
      hashes.count == used.count && hasReport
      ? RenderReport.recipe(settings, soundFontHash: hashes.joined(separator: " ")) : nil
    if let song = keptSong(job, work, inputHash, recipe) { return .kept(song) }
    let song = try SongFile.decode(bytes, job.input)
    if options.isDryRun {
      // What cannot be rendered of a song fails as when it is rendered.
      do throws(RenderError) {
        _ = try FrameRange(song, work.options.settings)
      } catch {
        throw Failure(error, input: job.input)
      }
      return .planned(try PlannedSong(job, work, policy))
    }
    if options.isStrict { try SongFile.refuse(Warnings.of(song), job.input) }
    let title = song.title
    let report = try render(consume song, title: title, job, work, used, threads: threads)
    announce(used, job)
    let warnings = Warnings.of(report, work.options, work.format)
    var entry = RenderReport.Song(
      input: job.input, output: work.outputName, report, warnings: warnings)
    entry.index = job.index
    entry.inputHash = inputHash
    entry.recipe = recipe
    if hasReport { entry.files = try work.writtenFiles(of: entry) }
    if work.options != options.song { entry.settings = settings }
    let described = used.map { RenderReport.SoundFont($0.font.found, hash: $0.font.hash) }
    let usesOwn = work.options.usesSoundFont
    if usesOwn,
      work.options.soundFont != options.song.soundFont || !options.song.usesSoundFont
    {
      entry.soundFont = described[0]
    }
    let others = described.dropFirst(usesOwn ? 1 : 0)
    entry.otherSoundFonts = others.isEmpty ? nil : Array(others)
    return .rendered(
      RenderedSong(
        entry: entry, elapsed: (ContinuousClock.now - began) / .seconds(1),
        others: [try work.picturePath(), try work.labelPath()].compactMap(\.self)))
  }

  /// Returns the song's entry of an earlier run if its files would be the same now.
  private func keptSong(
    _ job: RenderPlan.Job, _ work: RenderPlan.Work, _ inputHash: String?, _ recipe: String?
  ) -> RenderReport.Song? {
    guard let earlier, let inputHash, let recipe, case .file(let path) = work.destination,
      var song = earlier.complete(output: path, inputHash: inputHash, recipe: recipe),
      !options.isStrict || song.warnings.isEmpty, !options.refuses(song)
    else { return nil }
    song.index = job.index
    song.input = job.input
    return song
  }

  private func render(
    _ song: consuming StandardMIDIFile, title: String?, _ job: RenderPlan.Job,
    _ work: RenderPlan.Work, _ used: [(name: String?, font: SoundFontPool.Font)], threads: Int
  ) throws -> SongReport {
    // An earlier attempt had permission to write the files.
    let policy =
      progress?[job].mayHaveFiles == true
      ? ReplacePolicy(overwrites: true, earlier: earlier) : self.policy
    let soundFonts = Dictionary(uniqueKeysWithValues: used.map { ($0.name, $0.font.font) })
    let sounds = work.options.sounds(soundFonts, nodes)
    var picture = try work.pictureFile(title: title, input: job.input, sounds, policy)
    let labels = try work.labelFile(policy)
    let stems = work.stems(policy)
    func open() throws(RenderError) -> RenderedFile {
      try SongFile.open(
        work, title: title, measuresLoudness: options.measuresLoudness || hasReport,
        picture: picture.take(), rules: work.rules(policy))
    }
    func advance(_ seconds: Double) {
      announce(used, job)
      progress?.beat()
      observer.didAdvance(job, by: seconds)
    }
    guard let font = used.first?.font.font, !work.options.usesNodes else {
      guard let nodes else {
        throw Failure.usage(
          "--instrument and --effect need the program: use portative render, not a library")
      }
      return try nodes.render(
        song, input: job.input, work.options, soundFonts, stems: stems.map { ($0, sounds.0) },
        labels: labels, to: open,
        begin: {
          observer.didBegin(job, seconds: $0)
          progress?.enter(.playing, job)
        },
        progress: advance, accept: { report in try check(report, job, work) })
    }
    var settings = work.options.settings
    settings.threads = threads
    do throws(RenderError) {
      return try SongRenderer(soundFont: font, settings: settings, resources: resources)
        .render(
          consume song, to: try open(), stems: stems, labels: labels,
          begin: {
            observer.didBegin(job, seconds: $0)
            progress?.enter(.loading, job)
          },
          prepared: { progress?.enter(.playing, job) },
          progress: advance,
          isCancelled: {
            progress?.beat()
            return Interruption.signal != nil
          },
          accept: { report in (try? check(report, job, work)) != nil })
    } catch {
      if case .refused(let report) = error { try check(report, job, work) }
      throw Failure(error, input: job.input)
    }
  }

  /// Refuses a song that has what the options refuse.
  private func check(
    _ report: SongReport, _ job: RenderPlan.Job, _ work: RenderPlan.Work
  ) throws(Failure) {
    if options.isStrict {
      try SongFile.refuse(Warnings.of(report, work.options, work.format), job.input)
    }
    try SongFile.refuse(Warnings.refused(report, options), job.input, under: "--refuse")
  }

  private func announce(
    _ used: [(name: String?, font: SoundFontPool.Font)], _ job: RenderPlan.Job
  ) {
    for one in used { one.font.announcement.run() }
    progress?.announce(job)
  }

  /// Returns the failure of a song during which a process died that rendered only it; `nil` if none did, or if the
  /// SoundFont is at fault.
  private func fault(of job: RenderPlan.Job, _ record: SharedProgress.Record) -> Failure? {
    guard let fault = record.fault, record.faultyStage != .loading else { return nil }
    if record.faultyStage == .reading {
      return fault.failure(reading: job.input, stallLimit: options.maximumStall)
    }
    return fault.failure(
      playing: job.input, with: fonts.path((try? job.work.get())?.options.soundFont),
      stallLimit: options.maximumStall)
  }
}

extension RenderOptions {
  /// Whether a song that was rendered before has messages without effect for which it is refused.
  fileprivate func refuses(_ song: RenderReport.Song) -> Bool {
    song.ignored?.contains { message in refused.contains { $0.rawValue == message.category } }
      ?? false
  }
}
