public import AudioFile
public import FluidSynthEngine
public import LocalSystem
public import MIDIFile
import RenderCore

/// Renders songs to audio, faster than real time.
///
/// The bits depend on the song, the SoundFont and the settings alone: not on the number of threads,
/// nor on how the work is cut up, nor on what was rendered before.
///
/// Realtime: no.
public struct SongRenderer: Sendable {
  public let soundFont: SoundFont
  public let settings: RenderSettings
  private let resources: SharedRenderResources

  /// - Parameters:
  ///   - soundFont: Loaded for the first song, and kept for the others.
  ///   - workshop: Shared with others that render at the same time; `nil`: one of its own, for one
  ///     song at a time.
  public init(
    soundFont: SoundFont, settings: RenderSettings, resources: SharedRenderResources? = nil
  ) {
    self.resources =
      resources ?? SharedRenderResources(places: 1, cacheBytes: settings.cacheBytes)
    self.soundFont = soundFont
    self.settings = settings
  }

  /// Renders one song.
  ///
  /// - Parameters:
  ///   - song: The decoded file. It is let go once its timeline is made, for it may be large.
  ///   - file: Where the audio goes; it is finished on success and removed on failure.
  ///   - stems: Where the stems go, in `exact` only, and which they are; `nil` is none. They have the
  ///     length of the mix, and are there when it is, or not at all.
  ///   - begin: Gets about how many seconds of audio there will be, before the first is rendered.
  ///   - progress: Gets how many seconds of audio were rendered since it was called last.
  ///   - isCancelled: Asked after every cycle, some ten times per second of song.
  ///   - accept: Asked at the end, whether to keep the file, with everything in the report but the
  ///     hash, the loudness and the size of the file.
  /// - Throws: ``RenderError``; the file is gone then.
  public func render(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile,
    stems: StemSettings? = nil,
    begin: (Double) -> Void = { _ in }, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false },
    accept: (SongReport) -> Bool = { _ in true }
  ) throws(RenderError) -> SongReport {
    precondition(stems == nil || settings.timing == .exact, "stems are made in exact timing")
    var instrument: OfflineInstrument?
    var isAtWork = false
    defer { if isAtWork { resources.leave() } }
    return try Self.render(song, to: file, settings, begin, progress, isCancelled) {
      (range) throws(RenderError) in
      var plan: StemPlan?
      if let stems { plan = try StemPlan(range.timeline, end: range.end, by: stems.grouping) }
      resources.enter()
      isAtWork = true
      let made = try makeInstrument(for: range.timeline, stems: plan)
      instrument = made
      guard let stems, let plan, !plan.stems.isEmpty else { return (made, nil) }
      return (made, try open(stems, plan, hasWetReturn: made.hasWetReturn))
    } accept: { report in
      report.statistics = instrument?.statistics ?? Statistics()
      report.substitutions = instrument?.substitutions ?? []
      report.cacheFigures = instrument?.cacheFigures ?? CacheFigures()
      let isAccepted = accept(report)
      // Before the file is brought to the disk: another song waits for the place.
      instrument = nil
      resources.leave()
      isAtWork = false
      return isAccepted
    }
  }

  /// Renders one song with a player of any kind.
  ///
  /// - Parameters:
  ///   - player: Fresh; it gets the song's first frame first.
  ///   - accept: As in ``render(_:to:begin:progress:isCancelled:accept:)``; what the player has to report
  ///     may be added there.
  /// - Throws: ``RenderError``; the file is gone then.
  public static func render(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile, by player: some SongPlayer,
    settings: RenderSettings, begin: (Double) -> Void = { _ in },
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false },
    accept: (inout SongReport) -> Bool = { _ in true }
  ) throws(RenderError) -> SongReport {
    try render(song, to: file, settings, begin, progress, isCancelled) { _ in
      (player, nil)
    } accept: {
      accept(&$0)
    }
  }

  private static func render<Player: SongPlayer>(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile, _ settings: RenderSettings,
    _ begin: (Double) -> Void, _ progress: (Double) -> Void, _ isCancelled: () -> Bool,
    _ prepare: (FrameRange) throws(RenderError) -> (Player, StemFiles?),
    accept: (inout SongReport) -> Bool
  ) throws(RenderError) -> SongReport {
    var report = SongReport()
    report.repairs = song.repairs
    report.unlistedRepairs = song.unlistedRepairCount
    let range = try FrameRange(song, settings)
    begin(range.expectedSeconds)
    file.begin(range)
    var (player, stems): (Player?, StemFiles?) = try prepare(range)
    let folder = file.folder
    let files = SongFiles(mix: file, stems: stems)
    let normalizer = settings.normalization.map {
      Normalizer($0, sampleRate: settings.sampleRate, folder: folder, files: files.count)
    }
    let pipe = try Self.pipe(files, normalizer)
    defer { pipe.discard() }
    do {
      // Gone with the last frame, and what it holds with it.
      guard let player = player.take() else { preconditionFailure("a player was made") }
      var work = SongWork(range: range, player: player, settings: settings)
      try work.run(into: pipe, progress: progress, isCancelled: isCancelled)
      report.unreleasedNotes = work.unreleasedNotes
      report.isTailCut = work.isTailCut
    }
    report.normalization = try pipe.normalize(isCancelled: isCancelled)
    report.audio.file = try onFile { () throws(AudioFileError) in try pipe.drain() }
    report.stems = pipe.stems
    guard accept(&report) else { throw .refused(report) }
    (report.audio, report.stems) = try onFile { () throws(AudioFileError) in try pipe.finish() }
    return report
  }

  private static func pipe(
    _ files: SongFiles, _ normalizer: Normalizer?
  ) throws(RenderError) -> AsyncFileWriter {
    do throws(ThreadError) {
      return try AsyncFileWriter(files, normalizer)
    } catch {
      throw .thread(error)
    }
  }

  private static func onFile<Value>(
    _ body: () throws(AudioFileError) -> Value
  ) throws(RenderError) -> Value {
    do throws(AudioFileError) { return try body() } catch { throw .file(error) }
  }

  private func open(
    _ stems: StemSettings, _ plan: StemPlan, hasWetReturn: Bool
  ) throws(RenderError) -> StemFiles {
    let presets: [SoundFontPreset]
    do throws(InstrumentError) {
      presets = try soundFont.presets()
    } catch {
      throw .instrument(error)
    }
    return try Self.onFile { () throws(AudioFileError) in
      try StemFiles(
        plan, stems, sampleRate: settings.sampleRate, presets: presets, hasWetReturn: hasWetReturn)
    }
  }

  private func makeInstrument(
    for timeline: Timeline, stems: StemPlan?
  ) throws(RenderError) -> OfflineInstrument {
    let playsLegato = timeline.events.contains {
      if case .channel(let message) = $0.message { message.asksForLegato } else { false }
    }
    let instrument = try OfflineInstrument(
      soundFont: soundFont, settings: settings, playsLegato: playsLegato, stems: stems,
      shelf: resources.lanes)
    instrument.predictLanes(timeline, in: resources.recordings)
    return instrument
  }
}

/// Why a song was not rendered.
public enum RenderError: Error, CustomStringConvertible {
  case instrument(InstrumentError)
  /// The node that plays is gone, or will not play.
  case player(String)
  case file(AudioFileError)
  case thread(ThreadError)
  case timeline(TimelineError)
  /// `--from` or `--to` lies where there is no song.
  case emptyRange(start: Double, end: Double, length: Double)
  /// It is longer than ``RenderSettings/maximumLength``; `pause` is its longest time without events.
  case tooLong(seconds: Double, limit: Double, pause: Range<Double>)
  case cancelled
  /// More stems than can be kept; so many would be needed.
  case tooManyStems(Int)
  /// The caller did not accept the report.
  case refused(SongReport)

  public var description: String {
    switch self {
    case .instrument(let error): error.description
    case .player(let reason): reason
    case .file(let error): error.description
    case .thread(let error): error.description
    case .timeline(let error): error.description
    case .emptyRange(let start, let end, let length):
      "nothing to render from \(start) s to \(end) s: the song is \(length) s long"
    case .tooLong(let seconds, let limit, _):
      "the song is \(seconds) s long, and at most \(limit) s are allowed"
    case .tooManyStems(let count):
      "\(count) tracks have notes, but at most \(ExactInstrument.mostStems) stems can be made: "
        + "make them by channel"
    case .cancelled: "interrupted"
    case .refused: "the result was refused"
    }
  }
}
