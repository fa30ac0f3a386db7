import AudioFile
public import FluidSynthEngine
import LocalSystem
public import MIDIFile
import RenderCore

/// Renders songs to audio, faster than real time.
///
/// The output only depends on the song, the SoundFont and the settings: not on the number of threads, the cycle
/// lengths, or previously rendered songs.
///
/// Realtime: no.
public struct SongRenderer: Sendable {
  public let soundFont: SoundFont
  public let settings: RenderSettings
  private let resources: SharedRenderResources

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - soundFont: Loaded for the first song, and kept for the others.
  ///   - resources: Shared with other renderers; `nil` creates separate resources for one song at a time.
  public init(
    soundFont: SoundFont, settings: RenderSettings, resources: SharedRenderResources? = nil
  ) {
    self.resources =
      resources ?? SharedRenderResources(concurrencyLimit: 1, cacheBytes: settings.cacheBytes)
    self.soundFont = soundFont
    self.settings = settings
  }

  /// Renders one song.
  ///
  /// - Parameters:
  ///   - song: The decoded file. It is released once its timeline is created, because it may be large.
  ///   - file: The destination of the audio; finished on success and removed on failure.
  ///   - stems: The stems and their destination, in `exact` only; `nil` for none. They have the length of the
  ///     mix, and exist only if the mix does.
  ///   - labels: The destination of the labels, in `exact` only; `nil` for none. They exist only if the mix does.
  ///   - begin: Called with the approximate number of seconds of audio, before rendering starts.
  ///   - prepared: Called when the SoundFont is loaded and the instrument exists, before it plays.
  ///   - progress: Called with the number of seconds rendered since the last call.
  ///   - isCancelled: Called after every cycle, about ten times per second of song.
  ///   - accept: Called at the end; returns whether to keep the file. The report is complete except for the hash,
  ///     the loudness and the size of the file.
  /// - Throws: ``RenderError``; the file is removed then.
  public func render(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile,
    stems: StemSettings? = nil, labels: LabelFile? = nil,
    begin: (Double) -> Void = { _ in }, prepared: () -> Void = {},
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false },
    accept: (SongReport) -> Bool = { _ in true }
  ) throws(RenderError) -> SongReport {
    precondition(stems == nil || settings.timing == .exact, "stems require exact timing")
    precondition(
      stems?.grouping != .note || settings.normalization == nil,
      "the files of notes are written before the level of the song is known")
    precondition(labels == nil || settings.timing == .exact, "labels require exact timing")
    var player: InstrumentPlayer?
    var ignored: [IgnoredMessages] = []
    let (font, embedded) = font(for: song.embeddedSoundFont)
    var holdsSlot = false
    defer { if holdsSlot { resources.releaseSlot() } }
    return try Self.render(song, to: file, settings, labels, begin, progress, isCancelled) {
      (range) throws(RenderError) in
      var plan: StemPlan?
      if let stems { plan = try StemPlan(range.timeline, end: range.end, by: stems.grouping) }
      ignored = IgnoredMessageFinder.messages(range, soundFont.modulatorSources)
      resources.acquireSlot()
      holdsSlot = true
      var newPlayer = try makePlayer(for: range, font, stems: plan)
      let noteFiles = stems.flatMap { stems in
        plan?.separateNotes.map { NoteFiles(stems, $0, range) }
      }
      if labels != nil || noteFiles != nil {
        newPlayer.keepLog(notes: range.timeline.noteCount)
      }
      if let noteFiles { newPlayer.keepNoteSound(noteFiles) }
      player = newPlayer
      prepared()
      guard let stems, let plan, !plan.stems.isEmpty else { return (newPlayer, nil, nil) }
      let files = try open(
        stems, plan, font, hasWetReturn: newPlayer.hasWetReturn, noteFiles)
      return (newPlayer, files, noteFiles)
    } accept: { report in
      if let player {
        report.statistics = player.statistics
        report.substitutions = player.substitutions
        report.cacheFigures = player.cacheFigures
        report.loggedNotes = player.loggedNotes
        report.loggedReturns = player.loggedReturns
        report.ignored = ignored
        report.embeddedSoundFont = embedded
      }
      let isAccepted = accept(report)
      // Released before the file is synced, because another song waits for the slot.
      player = nil
      resources.releaseSlot()
      holdsSlot = false
      return isAccepted
    }
  }

  /// The stems that a player renders by itself.
  package struct PlayedStems {
    package let plan: StemPlan
    let settings: StemSettings
    let sounds: PlayedSounds

    /// - Parameter sounds: What plays the song, for the names of the stems.
    package init(_ plan: StemPlan, _ settings: StemSettings, _ sounds: PlayedSounds) {
      (self.plan, self.settings, self.sounds) = (plan, settings, sounds)
    }
  }

  /// Renders one song with any player.
  ///
  /// - Parameters:
  ///   - player: A new player, which renders the song from its first frame.
  ///   - stems: The stems that the player renders, the destination, and what plays; `nil` for none.
  ///   - labels: The destination of the labels, which do not know where sounds end; `nil` for none.
  ///   - accept: As in ``render(_:to:stems:begin:progress:isCancelled:accept:)``; the player's figures can be added to
  ///     the report there.
  /// - Throws: ``RenderError``; the file is removed then.
  package static func render(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile, by player: some SongPlayer,
    settings: RenderSettings, stems: PlayedStems? = nil,
    labels: LabelFile? = nil, begin: (Double) -> Void = { _ in },
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false },
    accept: (inout SongReport) -> Bool = { _ in true }
  ) throws(RenderError) -> SongReport {
    var logged: [LoggedNote] = []
    return try render(song, to: file, settings, labels, begin, progress, isCancelled) {
      (range) throws(RenderError) in
      if labels != nil { logged = PlayedNotes(range).logged }
      guard let stems, !stems.plan.stems.isEmpty else { return (player, nil, nil) }
      let files = try mapError(
        StemFiles(
          stems.plan, stems.settings, sampleRate: settings.sampleRate, sounds: stems.sounds,
          hasWetReturn: false), RenderError.file)
      return (player, files, nil)
    } accept: { report in
      report.loggedNotes = logged
      return accept(&report)
    }
  }

  private static func render<Player: SongPlayer>(
    _ song: consuming StandardMIDIFile, to file: consuming RenderedFile, _ settings: RenderSettings,
    _ labels: LabelFile?, _ begin: (Double) -> Void, _ progress: (Double) -> Void,
    _ isCancelled: () -> Bool,
    _ prepare: (FrameRange) throws(RenderError) -> (Player, StemFiles?, NoteFiles?),
    accept: (inout SongReport) -> Bool
  ) throws(RenderError) -> SongReport {
    let range = try FrameRange(song, settings)
    var report = SongReport()
    report.describe(song, range)
    begin(range.expectedSeconds)
    file.begin(range)
    var (player, stems, notes): (Player?, StemFiles?, NoteFiles?) = try prepare(range)
    let folder = file.folder
    let files = SongFiles(mix: file, stems: stems)
    let normalizer = settings.normalization.map {
      Normalizer($0, sampleRate: settings.sampleRate, folder: folder, files: files.count)
    }
    let writer = try mapError(AsyncFileWriter(files, normalizer), RenderError.thread)
    // The folder of the stems is removed last.
    defer {
      notes?.discard()
      writer.discard()
    }
    do {
      // The player and its memory are released after the last frame.
      guard let player = player.take() else { preconditionFailure("the player is missing") }
      var work = SongWork(range: range, player: player, settings: settings)
      try work.run(into: writer, progress: progress, isCancelled: isCancelled)
      report.unreleasedNotes = work.unreleasedNotes
      report.isTailCut = work.isTailCut
    }
    report.normalization = try writer.normalize(isCancelled: isCancelled)
    report.audio.file = try mapError(writer.drain(), RenderError.file)
    report.stems = writer.stems
    guard accept(&report) else { throw .refused(report) }
    try notes?.finish()
    if let labels {
      var songLabels = SongLabels(
        range, report.loggedNotes, returns: report.loggedReturns, frames: report.audio.file.frames,
        isCut: report.isTailCut,
        hasMessages: labels.hasMessages)
      if let notes { songLabels.nameFiles(notes.finishedName) }
      try mapError(labels.write(songLabels), RenderError.file)
      (report.loggedNotes, report.loggedReturns) = ([], [])
    }
    (report.audio, report.stems) = try mapError(writer.finish(), RenderError.file)
    if let notes {
      report.stems?.stems += notes.stems
      notes.commit()
    }
    try mapError(labels?.commit(), RenderError.file)
    return report
  }

  private func open(
    _ stems: StemSettings, _ plan: StemPlan, _ font: SoundFont, hasWetReturn: Bool,
    _ notes: NoteFiles?
  ) throws(RenderError) -> StemFiles {
    let presets = try mapError(font.presets(), RenderError.instrument)
    return try mapError(
      StemFiles(
        plan, stems, sampleRate: settings.sampleRate, sounds: PlayedSounds(presets: presets),
        hasWetReturn: hasWetReturn,
        mayWriteNote: { notes?.mayWrite($0) ?? false }),
      RenderError.file)
  }

  /// Returns the SoundFont that plays a song.
  ///
  /// - Parameter embedded: The one in its file; `nil` if there is none.
  package func font(
    for embedded: EmbeddedSoundFont?
  ) -> (font: SoundFont, report: EmbeddedSoundFontReport?) {
    guard let embedded else { return (soundFont, nil) }
    var report = EmbeddedSoundFontReport(isUsed: false, bankOffset: embedded.bankOffset)
    if !settings.usesEmbeddedSoundFont { return (soundFont, report) }
    do throws(InstrumentError) {
      let font = try soundFont.below(embedded.bytes)
      report.isUsed = true
      return (font, report)
    } catch {
      report.fault =
        switch error {
        case .notASoundFont(_, let reason), .soundFontUnreadable(_, let reason): reason
        default: error.description
        }
      return (soundFont, report)
    }
  }

  func makePlayer(
    for range: FrameRange, _ font: SoundFont, stems: StemPlan?
  ) throws(RenderError) -> InstrumentPlayer {
    let player = try InstrumentPlayer(
      range, soundFont: font, settings: settings, stems: stems,
      lanePool: resources.lanes)
    player.enableNoteCache(range.timeline, in: resources.recordings)
    return player
  }
}
