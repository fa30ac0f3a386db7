import FluidSynthInstrument
import RenderCore
import Synchronization

/// Either kind of instrument, with what it needs offline.
enum OfflineInstrument: SongPlayer {
  case exact(ExactInstrument, LaneCrew)
  case stock(StockInstrument)

  /// Instruments are made one at a time: FluidSynth initializes itself with its first synth, and one
  /// made meanwhile on another thread finds its modulators half set up, and sounds different.
  private static let making = Mutex(())

  init(soundFont: String, settings: RenderSettings) throws(InstrumentError) {
    self = try Self.making.withLock { _ throws(InstrumentError) in
      try Self.make(soundFont: soundFont, settings: settings)
    }
  }

  private static func make(
    soundFont: String, settings: RenderSettings
  ) throws(InstrumentError) -> OfflineInstrument {
    let instrumentSettings = InstrumentSettings(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, maximumFrames: SongRenderer.cycleFrames,
      threads: settings.timing == .exact ? settings.threads : 1)
    switch settings.timing {
    case .exact:
      let instrument = try ExactInstrument(soundFont: soundFont, settings: instrumentSettings)
      return .exact(instrument, LaneCrew(instrument))
    case .stock:
      return .stock(try StockInstrument(soundFont: soundFont, settings: instrumentSettings))
    }
  }

  func render(_ cycle: Cycle, notes: Int, _ take: Taker) throws(RenderError) {
    switch self {
    case .exact(let instrument, let crew):
      do throws(InstrumentError) {
        try instrument.reserveLanes(notes)
      } catch {
        throw .instrument(error)
      }
      crew.render(cycle, take)
    case .stock(let instrument):
      var left = [Float](repeating: 0, count: cycle.frames)
      var right = left
      instrument.render(cycle, left: &left, right: &right)
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in take(left, right) }
      }
    }
  }

  func flush(_ take: Taker) {
    if case .exact(_, let crew) = self { crew.flush(take) }
  }

  var statistics: Statistics {
    switch self {
    case .exact(let instrument, _): instrument.statistics
    case .stock(let instrument): instrument.statistics
    }
  }

  var substitutions: [PresetSubstitution] {
    switch self {
    case .exact(let instrument, _): instrument.substitutions
    case .stock(let instrument): instrument.substitutions
    }
  }
}
