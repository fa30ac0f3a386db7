import AudioFile
package import FluidSynthEngine
import LocalSystem
package import MIDIFile
import RenderCore

/// Renders one song into memory, block by block, on the calling thread only.
///
/// The samples are those of ``SongRenderer``, bit for bit. Realtime: no. Threads: one at a time.
package final class SongStream {
  private let range: FrameRange
  private let player: InstrumentPlayer
  private let hasLabels: Bool
  private let notes: Int
  /// The sound of each note, if the notes are stems.
  private let noteArrays: NoteArrays?
  private var work: SongWork<InstrumentPlayer>
  private var isFinished = false
  private var hash = AudioHash()
  private var interleaved: [Float] = []
  private var audio = AudioFigures()
  /// The part of the report that is known before the song is rendered.
  private var beginning = SongReport()
  /// The stems; that of the kind `wet` or `rest` is the last. Empty without stems.
  package let stems: [RenderedStem]

  /// The number of channels: left and right of the mix, then of each stem.
  package var channels: Int { 2 + 2 * stems.count }
  /// The greatest number of frames that there may be.
  package var maximumFrames: Int { max(range.limit, range.end) - range.start }
  /// The frame of the song at which the audio begins.
  package var start: Int { range.start }
  /// The number of frames so far.
  package var frames: Int { audio.file.frames }

  /// - Parameters:
  ///   - settings: `threads` and `normalization` do not apply.
  ///   - grouping: The grouping of notes into stems, in `exact` only; `nil` for none. With ``StemGrouping/note``, the
  ///     sound of all notes is kept in memory.
  ///   - hasLabels: Whether to record when notes begin and end, in `exact` only.
  /// - Throws: ``RenderError``.
  package init(
    _ song: StandardMIDIFile, soundFont: SoundFont, settings: RenderSettings,
    stems grouping: StemGrouping? = nil, hasLabels: Bool, resources: SharedRenderResources
  ) throws(RenderError) {
    var settings = settings
    settings.threads = 1
    range = try FrameRange(song, settings)
    beginning.describe(song, range)
    beginning.ignored = IgnoredMessageFinder.messages(range, soundFont.modulatorSources)
    var plan: StemPlan?
    if let grouping { plan = try StemPlan(range.timeline, end: range.end, by: grouping) }
    let renderer = SongRenderer(soundFont: soundFont, settings: settings, resources: resources)
    let (font, embedded) = renderer.font(for: song.embeddedSoundFont)
    beginning.embeddedSoundFont = embedded
    var player = try renderer.makePlayer(for: range, font, stems: plan)
    self.hasLabels = hasLabels
    notes = range.timeline.noteCount
    noteArrays = plan?.separateNotes.map { [range] in NoteArrays($0, range) }
    if hasLabels || noteArrays != nil { player.keepLog(notes: notes) }
    if let noteArrays { player.keepNoteSound(noteArrays) }
    self.player = player
    if let plan, let grouping, !plan.stems.isEmpty {
      let presets = try mapError(font.presets(), RenderError.instrument)
      let sounds = PlayedSounds(presets: presets)
      stems =
        plan.stems.map { RenderedStem($0, by: grouping, name: $0.name(sounds)) }
        + [RenderedStem(player.hasWetReturn ? .wet : .rest)]
    } else {
      stems = []
    }
    work = SongWork(range: range, player: player, settings: settings)
  }

  /// Renders the next cycle.
  ///
  /// - Parameter output: Receives the next frames of each channel, several times or not at all.
  /// - Returns: `false` after the last frame.
  package func next(
    _ output: ([UnsafeBufferPointer<Float>]) -> Void
  ) throws(RenderError) -> Bool {
    if isFinished { return false }
    if work.hasFrames {
      _ = try work.renderCycle { [self] channels in
        measure(channels)
        output(channels)
      }
      return true
    }
    try work.finish { [self] channels in
      measure(channels)
      output(channels)
    }
    isFinished = true
    return false
  }

  private func measure(_ channels: [UnsafeBufferPointer<Float>]) {
    let (left, right) = (channels[0], channels[1])
    let frames = left.count
    if interleaved.count < 2 * frames { interleaved = Array(repeating: 0, count: 2 * frames) }
    var peak: Float = 0
    for i in 0..<frames {
      interleaved[2 * i] = left[i]
      interleaved[2 * i + 1] = right[i]
      let level = max(abs(left[i]), abs(right[i]))
      if level > 1 { audio.file.clippedFrames += 1 }
      peak = max(peak, level)
    }
    audio.file.peak = max(audio.file.peak, peak)
    audio.file.frames += frames
    // Moved out of the object, so that a span of it can be used.
    var samples: [Float] = []
    swap(&samples, &interleaved)
    hash.add(interleaved: samples.span.extracting(first: 2 * frames))
    swap(&samples, &interleaved)
  }

  /// The report on what was rendered so far; complete after the last frame.
  package var report: SongReport {
    var report = beginning
    report.audio = audio
    report.audio.hash = hash.text
    report.audio.seconds = Double(audio.file.frames) / Double(range.timeline.sampleRate)
    report.statistics = player.statistics
    report.substitutions = player.substitutions
    report.cacheFigures = player.cacheFigures
    report.unreleasedNotes = work.unreleasedNotes
    report.isTailCut = work.isTailCut
    return report
  }

  /// The dry sound of a note so far, with left and right interleaved: from its onset on, or from the first frame if it
  /// began before. `nil` if it made no sound, or the notes are not stems.
  ///
  /// - Parameter note: The ``NoteLabel/note`` of its label.
  package func samples(ofNote note: Int) -> [Float]? { noteArrays?.samples[note] }

  /// The labels; `nil` before the last frame, and if they were not requested.
  ///
  /// - Parameter hasBeats: Whether the song has tempos and beats of its own.
  package func labels(hasBeats: Bool = true) -> SongLabels? {
    guard hasLabels, isFinished else { return nil }
    return SongLabels(
      range, player.loggedNotes, returns: player.loggedReturns, frames: audio.file.frames,
      isCut: work.isTailCut,
      hasBeats: hasBeats, hasMessages: true)
  }
}

/// Keeps the dry sound of each note of a song in memory.
///
/// Threads: one at a time.
final class NoteArrays: NoteSink {
  /// The interleaved samples of each note, from its onset or from the beginning of the range on.
  private(set) var samples: [Int: [Float]] = [:]
  private var notes: SeparateNotes
  private let range: FrameRange

  init(_ notes: SeparateNotes, _ range: FrameRange) {
    self.notes = notes
    self.range = range
  }

  func add(_ block: NoteBlock, ofNote note: Int, port: Int) {
    notes.add(block, ofNote: note, port: port)
    // Moved out of the dictionary, so that it is not copied.
    var sound = samples.removeValue(forKey: note) ?? []
    _ = notes.append(block, ofNote: note, in: range, isFirst: sound.isEmpty, to: &sound)
    if !sound.isEmpty { samples[note] = sound }
  }

  func endCycle(frames: Int) {}
}
