import FluidSynthEngine
import LocalSystem
import MIDIFile
import RenderCore

/// Either kind of instrument, with what it needs offline.
enum OfflineInstrument: SongPlayer {
  case exact(ExactInstrument, ParallelLaneRenderer)
  case stock(StockInstrument)

  /// - Parameters:
  ///   - playsLegato: Whether the song has passages that need it; see
  ///     ``InstrumentSettings/ownsPresets``.
  ///   - stems: Which are kept apart, in `exact`.
  ///   - shelf: Where lanes come from and go to.
  init(
    soundFont: SoundFont, settings: RenderSettings, playsLegato: Bool, stems: StemPlan? = nil,
    shelf: LanePool? = nil
  ) throws(RenderError) {
    let instrumentSettings = InstrumentSettings(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, reverbEngine: settings.reverbEngine,
      maximumFrames: Self.cycleFrames,
      threads: settings.timing == .exact ? settings.threads : 1,
      // Lanes are made before their notes, so hardly one will be without.
      overflowVoices: 16, ownsPresets: playsLegato)
    switch settings.timing {
    case .exact:
      let instrument = try Self.make { () throws(InstrumentError) in
        try ExactInstrument(soundFont: soundFont, settings: instrumentSettings, shelf: shelf)
      }
      instrument.suspendIdleChorus()
      if let stems, !stems.stems.isEmpty {
        instrument.keepStems(stems.stemOfNote, count: stems.stems.count)
      }
      self = .exact(instrument, try Self.crew(instrument))
    case .stock:
      self = .stock(
        try Self.make { () throws(InstrumentError) in
          try StockInstrument(soundFont: soundFont, settings: instrumentSettings)
        })
    }
  }

  private static func make<Instrument>(
    _ body: () throws(InstrumentError) -> Instrument
  ) throws(RenderError) -> Instrument {
    do throws(InstrumentError) { return try body() } catch { throw .instrument(error) }
  }

  private static func crew(_ instrument: ExactInstrument) throws(RenderError)
    -> ParallelLaneRenderer
  {
    do throws(ThreadError) { return try ParallelLaneRenderer(instrument) } catch {
      throw .thread(error)
    }
  }

  /// Long enough that threads seldom wait for each other, and short enough that few lanes wait for the
  /// next cycle to be used again, and little memory for what may begin in this one.
  static let cycleFrames = 4096
  var cycleFrames: Int { Self.cycleFrames }

  /// Lets notes that come again be rendered once, where the instrument can.
  ///
  /// - Parameter memory: What that may take; `nil` is not to do it.
  func predictLanes(_ timeline: Timeline, in memory: RecordingMemory?) {
    guard case .exact(let instrument, _) = self, let memory else { return }
    var finder = RecurrenceFinder()
    for event in timeline.events {
      switch event.message {
      case .channel(let message): finder.follow(message, at: event.frame)
      case .sysEx: finder.followSysEx()
      }
    }
    instrument.keepRecordings(finder.finish(), in: memory)
  }

  func render(_ cycle: MIDICycle, notes: Int, _ take: Taker) throws(RenderError) {
    switch self {
    case .exact(let instrument, let crew):
      do throws(InstrumentError) {
        try instrument.prepare(frames: cycle.frames, notes: notes)
        try instrument.loadSamples(for: cycle)
      } catch {
        throw .instrument(error)
      }
      crew.render(cycle, take)
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
        right.withUnsafeBufferPointer { right in take([left, right]) }
      }
    }
  }

  func flush(_ take: Taker) {
    if case .exact(_, let crew) = self { crew.flush(take) }
  }

  /// Whether reverb and chorus come apart from the stems.
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
