public import FluidSynthEngine
public import RenderCore
import Synchronization

/// A FluidSynth instrument as a port plays it.
///
/// Two channels out, sixteen MIDI channels in. Lanes are made ahead of need: in the background while a
/// realtime host plays, and before each cycle for one that waits.
///
/// **Parameters.** `gain` is exact on every frame; at 0 dB it leaves every bit as it is. `tuning` is that of all
/// channels, on top of what MIDI says; notes that sound go along, each from its own next block of 64 frames on.
/// `reverb` and `chorus` are FluidSynth's: their values act from the effects' next block on; in `exact`, off means
/// that nothing more goes in, on the very frame, and what is in it rings out. In `stock` an effect that is off
/// stands still, from the next block on. Each change of the chorus begins its modulation anew. Parameters that
/// glide, other than gain, go on in steps of 64 frames. With a FluidSynth that keeps its sends to itself
/// (``Footing``), effects stay as the settings have them.
///
/// **Presets.** `preset.bank` and `preset.program` are what the first MIDI channel plays: setting them acts as bank
/// select and program change do there, and those move them. The SoundFont's presets are values of these two.
/// An instrument of one preset (``InstrumentSettings/preset``) has neither.
///
/// **State.** What the channels were told: programs, banks, controllers, pitch bend and its range, tuning by RPN,
/// NRPN, modes. Notes that sound hear what changes. Pressures, MIDI tuning tables, and which part GS messages
/// made a drum kit, are not in it.
///
/// `@unchecked Sendable`: the state belongs to the render thread; what is made for it elsewhere is
/// handed over as ``ExactInstrument`` says, and the figures, values and channels are atomic.
public final class InstrumentUnit: RenderUnit, @unchecked Sendable {
  private let player: Player
  public let parameters: ParameterStore?
  public let presets: [Preset]
  private let board: ChannelSnapshot
  private let figures: UnitFigures
  /// The state of a fresh unit.
  private let fresh: [UInt8]
  private let rate: Int
  private let reverbTail: ReverbTail
  /// One thread at a time puts a state down.
  private let restoring = Mutex(())
  let state: UnsafeMutablePointer<SynthUnitState>

  private enum Player {
    case exact(ExactInstrument)
    case stock(StockInstrument)
  }

  /// Loads the SoundFont, unless it is loaded already, and makes the instrument.
  ///
  /// - Throws: ``InstrumentError``.
  public convenience init(
    soundFont: SoundFont, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: soundFont, settings: settings, further: [], groups: [])
  }

  /// - Parameters:
  ///   - further: Parameters of what the instrument is a part of, which come after its own.
  ///   - groups: Their groups.
  init(
    soundFont: SoundFont, settings: InstrumentSettings, further: [Parameter],
    groups: [ParameterTree.Group]
  ) throws(InstrumentError) {
    var settings = settings
    settings.keepsEffectsReady = true
    let engine: Engine
    switch settings.timing {
    case .exact:
      let instrument = try ExactInstrument(soundFont: soundFont, settings: settings)
      try instrument.supply()
      player = .exact(instrument)
      engine = instrument.engine
    case .stock:
      let instrument = try StockInstrument(soundFont: soundFont, settings: settings)
      try instrument.supply()
      player = .stock(instrument)
      engine = instrument.engine
    }
    let choosesPreset = settings.preset == nil
    presets = try choosesPreset ? soundFont.presets().map { Preset($0) } : []
    let parameters = ParameterStore(
      ParameterTree(
        SynthParameters.parameters(settings) + further, groups: SynthParameters.groups + groups))
    self.parameters = parameters
    board = ChannelSnapshot(engine)
    fresh = SavedChannels.encode(board.channels)
    figures = UnitFigures()
    rate = settings.rate
    reverbTail = ReverbTail(rate: settings.rate, engine: settings.reverbEngine)
    state = .allocate(capacity: 1)
    state.initialize(
      to: SynthUnitState(
        engine, parameters.values, choosesPreset: choosesPreset, board, figures))
  }

  deinit {
    figures.destroy()
    board.destroy()
    state.deallocate()
  }

  public var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), renderUnit, readiness: isUnitReady)
  }

  /// While a note sounds, nobody knows; else what reverb and chorus may still give: what the reverb needs for
  /// 100 dB, or the length of the chorus.
  public var tail: Int? {
    if figures.isSounding { return nil }
    guard let parameters else { return nil }
    func value(_ index: Int) -> Double { Double(parameters.value(index)) }
    // FluidSynth's one reverb before version 2.6 loses 60 dB in 0.7 s to 12.5 s; its chorus holds 2048 frames.
    let formula = Int((0.7 + 11.8 * value(SynthParameters.room)) * 100 / 60 * Double(rate))
    func reverb() -> Int {
      if ReverbEngines.available.names.isEmpty { return formula }
      return reverbTail.frames(ReverbValues(parameters)) ?? formula
    }
    return max(
      value(SynthParameters.reverb) == 0 ? 0 : reverb(),
      value(SynthParameters.chorus) == 0 ? 0 : 2048 + 64)
  }

  public func save() -> [UInt8] { SavedChannels.encode(board.channels) }

  /// - Throws: ``StateError``; nothing has changed then.
  public func restore(_ data: [UInt8]) throws {
    let channels = try SavedChannels.decode(data.isEmpty ? fresh : data)
    restoring.withLock { _ in board.put(channels) }
  }

  public func performDeferredWork() {
    // What cannot be made is asked for again, or done without: nobody here could do better.
    switch player {
    case .exact(let instrument): try? instrument.supply()
    case .stock(let instrument): try? instrument.supply()
    }
  }

  public func prepare(for cycle: MIDICycle) {
    var notes = 0
    for event in cycle.events {
      guard case .channel(let message) = event.content else { continue }
      if message.startsNote { notes += 1 }
      switch player {
      case .exact(let instrument): instrument.predictLanes(message)
      case .stock(let instrument): instrument.predictLanes(message)
      }
    }
    performDeferredWork()
    switch player {
    case .exact(let instrument):
      try? instrument.reserveLanes(notes)
      try? instrument.loadSamples(for: cycle)
    case .stock(let instrument): try? instrument.loadSamples(for: cycle)
    }
  }

  public var status: [UnitStatus] { figures.status }
}

@_noLocks @c private func renderUnit(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: SynthUnitState.self)
  let cycle = cycle.renderCycle
  state.pointee.begin()
  var place = 0
  while place < cycle.frames {
    let end = state.pointee.renderStretch(
      of: cycle, from: place, left: cycle.output[0] + place, right: cycle.output[1] + place)
    state.pointee.advance(frames: end - place)
    place = end
  }
  return state.pointee.finish(cycle.feedback)
}

@_noLocks @c private func isUnitReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SynthUnitState.self).pointee.isReady(for: cycle.renderCycle.midi)
}
