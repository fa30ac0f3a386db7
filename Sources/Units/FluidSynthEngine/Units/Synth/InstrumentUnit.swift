public import RenderCore
import Synchronization

/// A FluidSynth instrument as a unit of a port.
///
/// It has sixteen MIDI channels, and two output channels, or 34 if ``MultiSynthSource`` made it. Lanes are created
/// before they are needed: in the background for a realtime host, and before each cycle for a host that waits.
///
/// **Parameters.** `gain` is exact on every frame; 0 dB leaves every bit unchanged. `tuning` applies to all
/// channels, in addition to MIDI tuning; sounding notes change from their next block of 64 frames on. `envelope`, `filter` and
/// `vibrato` are offsets of the SoundFont's generators on all channels, in addition to those by NRPN, and act as `tuning` does;
/// FluidSynth limits the sums. `transposition`, which rhythm parts ignore, and `velocity-curve` apply to notes that begin
/// after the change. `polyphony` limits the notes that sound at once in `exact` timing, from the next note on. `reverb` and
/// `chorus` are FluidSynth's effects; their values take effect from the effects' next block on. In `exact` timing,
/// switching an effect off stops its input on the exact frame, and the effect rings out. In `stock` timing, the
/// effect stops from the next block on. Each change of a chorus parameter restarts its modulation. Parameter ramps,
/// except those of the gain, are applied in steps of 64 frames. If FluidSynth does not expose its effect sends
/// (``LibraryCapabilities``), the effects cannot be changed and stay as in the settings.
///
/// **Presets.** `preset.bank` and `preset.program` are the selection of the first MIDI channel. Setting them acts as
/// bank select and program change on that channel, and those messages change the parameters. The unit's presets are
/// those of the SoundFont, as values of these two parameters. An instrument with only one preset
/// (``InstrumentSettings/preset``) has neither parameter. `preset.bank-style` is a ``BankStyle``, for bank selects and program
/// changes after it.
///
/// **State.** The values that the channels have received: programs, banks, controllers, pitch bend and its range,
/// tuning by RPN, NRPN, modes. Restoring it affects sounding notes. The state does not include pressures, MIDI tuning
/// tables, and which part GS messages have made a drum kit.
///
/// `@unchecked Sendable`: the state belongs to the render thread. Objects created for it on other threads are
/// handed over as described in ``ExactInstrument``. The figures, values and channels are atomic.
public final class InstrumentUnit: RenderUnit, @unchecked Sendable {
  private let instrument: Instrument
  public let parameters: ParameterStore?
  public let presets: [Preset]
  private let channelSnapshot: ChannelSnapshot
  private let figures: UnitFigures
  private let memory = RenderMemory()
  /// The saved state of a new unit.
  private let initialState: [UInt8]
  private let rate: Int
  private let separatesChannels: Bool
  private let reverbTail: ReverbTail
  /// Only one thread at a time may set the pending channels.
  private let restoring = Mutex(())
  let state: UnsafeMutablePointer<SynthUnitState>

  /// Loads the SoundFont if necessary, and creates the instrument.
  ///
  /// - Throws: ``InstrumentError``.
  public convenience init(
    soundFont: SoundFont, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: soundFont, settings: settings, additional: [], groups: [])
  }

  /// - Parameters:
  ///   - soundFont: The SoundFont to play.
  ///   - settings: The instrument's settings.
  ///   - additional: The parameters of the unit that contains the instrument; they follow the instrument's own.
  ///   - groups: The groups of the additional parameters.
  init(
    soundFont: SoundFont, settings: InstrumentSettings, additional: [Parameter],
    groups: [ParameterTree.Group]
  ) throws(InstrumentError) {
    var settings = settings
    settings.keepsEffectsReady = true
    instrument = try Instrument.make(soundFont: soundFont, settings: settings)
    try instrument.supply()
    let engine = instrument.engine
    let choosesPreset = settings.preset == nil
    presets = try choosesPreset ? soundFont.presets().map { Preset($0) } : []
    let parameters = ParameterStore(
      ParameterTree(
        SynthParameter.parameters(settings) + additional, groups: SynthParameter.groups + groups))
    self.parameters = parameters
    channelSnapshot = ChannelSnapshot(engine, in: memory)
    initialState = SavedChannels.encode(channelSnapshot.channels)
    figures = UnitFigures(in: memory)
    rate = settings.rate
    separatesChannels = settings.separatesChannels
    reverbTail = ReverbTail(rate: settings.rate, engine: settings.reverbEngine)
    state = memory.make(
      SynthUnitState(
        engine, parameters.values, settings, channelSnapshot, figures))
  }

  public var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), separatesChannels ? renderChannels : renderUnit,
      readiness: isUnitReady)
  }

  /// Unknown (`nil`) while a note sounds. Otherwise the time in frames in which the reverb decays by 100 dB, or the
  /// length of the chorus delay line, whichever is longer.
  public var tail: Int? {
    if figures.isSounding { return nil }
    guard let parameters else { return nil }
    func value(_ parameter: SynthParameter) -> Double { Double(parameters.value(parameter)) }
    // FluidSynth's only reverb before version 2.6 decays by 60 dB in 0.7 s to 12.5 s. The delay line of its chorus
    // has 2048 frames.
    let formula = Int((0.7 + 11.8 * value(.room)) * 100 / 60 * Double(rate))
    func reverb() -> Int {
      if ReverbEngines.available.names.isEmpty { return formula }
      return reverbTail.frames(ReverbValues(parameters)) ?? formula
    }
    return max(
      value(.reverb) == 0 ? 0 : reverb(),
      value(.chorus) == 0 ? 0 : 2048 + 64)
  }

  public func save() -> [UInt8] { SavedChannels.encode(channelSnapshot.channels) }

  /// - Throws: ``StateError``; the state is then unchanged.
  public func restore(_ data: [UInt8]) throws {
    let channels = try SavedChannels.decode(data.isEmpty ? initialState : data)
    restoring.withLock { _ in channelSnapshot.setPending(channels) }
  }

  public func performDeferredWork() {
    // Allocation failures are ignored: the work is retried on the next call, or notes go without a lane.
    try? instrument.supply()
  }

  public func prepare(for cycle: MIDICycle) {
    state.pointee.begin()
    var notes = 0
    for event in cycle.events {
      guard case .channel(let message) = event.content else { continue }
      if message.startsNote { notes += 1 }
      instrument.requestPresets(for: message)
    }
    performDeferredWork()
    if let exact = instrument as? ExactInstrument { try? exact.reserveLanes(notes) }
    try? instrument.loadSamples(for: cycle)
  }

  public var status: [UnitStatus] { figures.status }
}

@_noLocks private func renderUnit(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  return state.assumingMemoryBound(to: SynthUnitState.self).pointee
    .render(cycle, into: .stereo(left: cycle.output[0], right: cycle.output[1])) { _, _, _ in }
}

@_noLocks private func renderChannels(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  return state.assumingMemoryBound(to: SynthUnitState.self).pointee
    .render(cycle, into: .channels(ChannelOutputs(cycle.output))) { _, _, _ in }
}

@_noLocks private func isUnitReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SynthUnitState.self).pointee.isReady(for: cycle.renderCycle.midi)
}
