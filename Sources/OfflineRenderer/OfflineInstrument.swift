import FluidSynthInstrument
import RenderCore

/// Either kind of instrument, with what it needs offline.
enum OfflineInstrument {
  case exact(ExactInstrument, LaneCrew)
  case stock(StockInstrument)

  init(soundFont: String, settings: RenderSettings) throws(InstrumentError) {
    let instrumentSettings = InstrumentSettings(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, maximumFrames: SongRenderer.cycleFrames,
      threads: settings.timing == .exact ? settings.threads : 1)
    switch settings.timing {
    case .exact:
      let instrument = try ExactInstrument(soundFont: soundFont, settings: instrumentSettings)
      self = .exact(instrument, LaneCrew(instrument))
    case .stock:
      self = .stock(try StockInstrument(soundFont: soundFont, settings: instrumentSettings))
    }
  }

  /// - Parameter notes: How many notes begin in the cycle.
  func render(
    _ cycle: Cycle, notes: Int, left: inout [Float], right: inout [Float]
  ) throws(InstrumentError) {
    switch self {
    case .exact(let instrument, let crew):
      try instrument.reserveLanes(notes)
      crew.render(cycle, left: &left, right: &right)
    case .stock(let instrument):
      instrument.render(cycle, left: &left, right: &right)
    }
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
