import FluidSynthEngine
import LocalSystem
import MIDIFile
import RenderCore

/// An instrument of either timing for offline rendering.
enum OfflineInstrument: SongPlayer {
  case exact(ExactInstrument, ParallelLaneRenderer)
  case stock(StockInstrument)

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
    let instrumentSettings = InstrumentSettings(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, reverbEngine: settings.reverbEngine,
      maximumFrames: Self.cycleFrames,
      threads: settings.timing == .exact ? settings.threads : 1,
      // Lanes are created before their notes, so notes rarely lack one.
      overflowVoices: 16, ownsPresets: playsLegato)
    switch settings.timing {
    case .exact:
      let instrument = try Self.wrappingErrors { () throws(InstrumentError) in
        try ExactInstrument(soundFont: soundFont, settings: instrumentSettings, lanePool: lanePool)
      }
      instrument.suspendIdleChorus()
      if let stems, !stems.stems.isEmpty {
        instrument.keepStems(stems.stemOfNote, count: stems.stems.count)
      }
      self = .exact(instrument, try mapError(ParallelLaneRenderer(instrument), RenderError.thread))
    case .stock:
      self = .stock(
        try Self.wrappingErrors { () throws(InstrumentError) in
          try StockInstrument(soundFont: soundFont, settings: instrumentSettings)
        })
    }
  }

  private static func wrappingErrors<Instrument>(
    _ body: () throws(InstrumentError) -> Instrument
  ) throws(RenderError) -> Instrument {
    do throws(InstrumentError) { return try body() } catch { throw .instrument(error) }
  }

  /// Frames per cycle: long enough that threads rarely wait for each other, and short enough that few lanes are idle
  /// until the next cycle, and that little memory is needed for the notes that may start in one cycle.
  static let cycleFrames = 4096
  var cycleFrames: Int { Self.cycleFrames }

  /// Enables the cache that renders recurring notes only once, if the instrument supports it.
  ///
  /// - Parameter memory: The memory for the cache; `nil` disables it.
  func enableNoteCache(_ timeline: Timeline, in memory: RecordingMemory?) {
    guard case .exact(let instrument, _) = self, let memory else { return }
    var finder = RecurrenceFinder()
    for event in timeline.events {
      switch event.message {
      case .channel(let message): finder.process(message, at: event.frame)
      case .sysEx: finder.processSysEx()
      }
    }
    instrument.keepRecordings(finder.finish(), in: memory)
  }

  func render(_ cycle: MIDICycle, notes: Int, _ output: OutputHandler) throws(RenderError) {
    switch self {
    case .exact(let instrument, let renderer):
      do throws(InstrumentError) {
        try instrument.prepare(frames: cycle.frames, notes: notes)
        try instrument.loadSamples(for: cycle)
      } catch {
        throw .instrument(error)
      }
      renderer.render(cycle, output)
    case .stock(let instrument):
      do throws(InstrumentError) {
        try instrument.loadSamples(for: cycle)
      } catch {
        throw .instrument(error)
      }
      var left = [Float](repeating: 0, count: cycle.frames)
      var right = left
      instrument.render(cycle, left: &left, right: &right)
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in output([left, right]) }
      }
    }
  }

  func flush(_ output: OutputHandler) {
    if case .exact(_, let renderer) = self { renderer.flush(output) }
  }

  /// Whether reverb and chorus are returned separately from the stems.
  var hasWetReturn: Bool {
    if case .exact(let instrument, _) = self { instrument.hasWetReturn } else { false }
  }

  var statistics: Statistics {
    switch self {
    case .exact(let instrument, _): instrument.statistics
    case .stock(let instrument): instrument.statistics
    }
  }

  var cacheFigures: CacheFigures {
    if case .exact(let instrument, _) = self { instrument.cacheFigures } else { CacheFigures() }
  }

  var substitutions: [PresetSubstitution] {
    switch self {
    case .exact(let instrument, _): instrument.substitutions
    case .stock(let instrument): instrument.substitutions
    }
  }
}
