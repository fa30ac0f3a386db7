import FluidSynthEngine
import LocalSystem
import MIDIFile
import RenderCore

/// Renders a song with an instrument of either timing.
struct InstrumentPlayer: SongPlayer {
  let instrument: Instrument
  /// `nil` in `stock`.
  private let renderer: ParallelLaneRenderer?
  private var noteSink: (any NoteSink)?

  /// Creates an instrument.
  ///
  /// - Parameters:
  ///   - playsLegato: Whether the song has passages that need it; see
  ///     ``InstrumentSettings/ownsPresets``.
  ///   - stems: The stems to be rendered separately, in `exact`.
  ///   - lanePool: The pool from which lanes are taken and to which they are returned.
  init(
    soundFont: SoundFont, settings: RenderSettings, playsLegato: Bool, stems: StemPlan? = nil,
    lanePool: LanePool? = nil
  ) throws(RenderError) {
    var instrumentSettings = InstrumentSettings(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, reverbEngine: settings.reverbEngine,
      polyphony: settings.polyphony, maximumFrames: Self.cycleFrames,
      threads: settings.timing == .exact ? settings.threads : 1,
      // Lanes are created before their notes, so notes rarely lack one.
      overflowVoices: 16, ownsPresets: playsLegato)
    instrumentSettings.bankStyle = settings.bankStyle
    if settings.timing == .stock {
      instrument = try mapError(
        StockInstrument(soundFont: soundFont, settings: instrumentSettings), RenderError.instrument)
      renderer = nil
      return
    }
    let exact = try mapError(
      ExactInstrument(soundFont: soundFont, settings: instrumentSettings, lanePool: lanePool),
      RenderError.instrument)
    exact.suspendIdleChorus()
    if let stems, !stems.stems.isEmpty {
      exact.keepStems(stems.stemOfNote, count: stems.stems.count)
    }
    instrument = exact
    renderer = try mapError(ParallelLaneRenderer(exact), RenderError.thread)
  }

  private var exact: ExactInstrument? { instrument as? ExactInstrument }

  /// Frames per cycle: long enough that threads rarely wait for each other, and short enough that few lanes are idle
  /// until the next cycle, and that little memory is needed for the notes that may start in one cycle.
  static let cycleFrames = 4096
  var cycleFrames: Int { Self.cycleFrames }

  /// Enables the cache that renders recurring notes only once, if the instrument supports it.
  ///
  /// - Parameter memory: The memory for the cache; `nil` disables it.
  func enableNoteCache(_ timeline: Timeline, in memory: RecordingMemory?) {
    guard let exact, let memory else { return }
    var finder = RecurrenceFinder()
    for event in timeline.events {
      switch event.message {
      case .channel(let message): finder.process(message, at: event.frame)
      case .sysEx: finder.processSysEx()
      }
    }
    exact.keepRecordings(finder.finish(), in: memory)
  }

  /// Records when notes begin and end, if the instrument supports it.
  func keepLog(notes: Int) { exact?.keepLog(notes: notes) }

  /// Passes the dry sound of each note to `sink`, before that of the mix. Needs ``keepLog(notes:)``.
  mutating func keepNoteSound(_ sink: any NoteSink) {
    exact?.keepNoteSound()
    noteSink = sink
  }

  var loggedNotes: [LoggedNote] { exact?.loggedNotes ?? [] }
  var loggedReturns: [LoggedNote] { exact?.loggedReturns ?? [] }

  func render(_ cycle: MIDICycle, notes: Int, _ output: OutputHandler) throws(RenderError) {
    try mapError(exact?.prepare(frames: cycle.frames, notes: notes), RenderError.instrument)
    try mapError(instrument.loadSamples(for: cycle), RenderError.instrument)
    if let renderer {
      renderer.render(cycle, output)
      if let noteSink {
        exact?.forEachNoteBlock(noteSink.add)
        try noteSink.endCycle(frames: cycle.frames)
      }
      return
    }
    var left = [Float](repeating: 0, count: cycle.frames)
    var right = left
    instrument.render(cycle, left: &left, right: &right)
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in output([left, right]) }
    }
  }

  func flush(_ output: OutputHandler) { renderer?.flush(output) }

  /// Whether reverb and chorus are returned separately from the stems.
  var hasWetReturn: Bool { exact?.hasWetReturn ?? false }

  var cacheFigures: CacheFigures { exact?.cacheFigures ?? CacheFigures() }
}
