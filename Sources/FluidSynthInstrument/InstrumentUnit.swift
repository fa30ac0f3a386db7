import MIDICore
public import RenderCore

/// A FluidSynth instrument as a port plays it.
///
/// Two channels out, sixteen MIDI channels in. Lanes are made ahead of need: in the background while a
/// realtime host plays, and before each cycle for one that waits.
///
/// `@unchecked Sendable`: the instrument belongs to the render thread; what is made for it elsewhere is
/// handed over as ``ExactInstrument`` says, and the figures are atomic.
public final class InstrumentUnit: RenderUnit, @unchecked Sendable {
  private let player: Player
  private let state: UnsafeMutablePointer<UnitState>

  private enum Player {
    case exact(ExactInstrument)
    case stock(StockInstrument)
  }

  /// Loads the SoundFont, unless it is loaded already, and makes the instrument.
  ///
  /// - Throws: ``InstrumentError``.
  public init(soundFont: SoundFont, settings: InstrumentSettings) throws(InstrumentError) {
    let figures = UnitFigures()
    state = .allocate(capacity: 1)
    switch settings.timing {
    case .exact:
      let instrument = try ExactInstrument(soundFont: soundFont, settings: settings)
      try instrument.supply()
      player = .exact(instrument)
      state.initialize(to: UnitState(Unmanaged.passUnretained(instrument).toOpaque(), figures))
    case .stock:
      let instrument = try StockInstrument(soundFont: soundFont, settings: settings)
      player = .stock(instrument)
      state.initialize(to: UnitState(Unmanaged.passUnretained(instrument).toOpaque(), figures))
    }
  }

  deinit {
    state.pointee.figures.destroy()
    state.deallocate()
  }

  public var renderer: Renderer {
    switch player {
    case .exact: Renderer(state: UnsafeMutableRawPointer(state), renderExact)
    case .stock: Renderer(state: UnsafeMutableRawPointer(state), renderStock)
    }
  }

  public func tend() {
    // What cannot be made is asked for again, or done without: nobody here could do better.
    switch player {
    case .exact(let instrument): try? instrument.supply()
    case .stock(let instrument): try? instrument.supply()
    }
  }

  public func prepare(for cycle: Cycle) {
    var notes = 0
    for event in cycle.events {
      guard case .channel(let message) = event.content else { continue }
      if message.startsNote { notes += 1 }
      switch player {
      case .exact(let instrument): instrument.foresee(message)
      case .stock(let instrument): instrument.foresee(message)
      }
    }
    tend()
    if case .exact(let instrument) = player { try? instrument.reserveLanes(notes) }
  }

  public var status: [UnitStatus] { state.pointee.figures.status }
}

/// What the procedures get: the instrument, unretained, and where they write down what it did.
private struct UnitState: BitwiseCopyable {
  let instrument: UnsafeMutableRawPointer
  let figures: UnitFigures

  init(_ instrument: UnsafeMutableRawPointer, _ figures: UnitFigures) {
    self.instrument = instrument
    self.figures = figures
  }
}

@_noLocks @c private func renderExact(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: UnitState.self).pointee
  let cycle = cycle.renderCycle
  let instrument = Unmanaged<ExactInstrument>.fromOpaque(state.instrument)
  return instrument._withUnsafeGuaranteedRef { instrument in
    instrument.render(cycle.cycle, left: cycle.output[0], right: cycle.output[1])
    state.figures.publish(instrument.statistics)
    return instrument.needsSupply
  }
}

@_noLocks @c private func renderStock(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: UnitState.self).pointee
  let cycle = cycle.renderCycle
  let instrument = Unmanaged<StockInstrument>.fromOpaque(state.instrument)
  return instrument._withUnsafeGuaranteedRef { instrument in
    instrument.render(cycle.cycle, left: cycle.output[0], right: cycle.output[1])
    state.figures.publish(instrument.statistics)
    return instrument.needsSupply
  }
}
