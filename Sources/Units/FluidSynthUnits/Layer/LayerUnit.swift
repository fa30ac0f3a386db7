import FluidSynthEngine
public import RenderCore

/// A FluidSynth instrument whose notes are laid over the audio that comes in, which goes down while they sound.
///
/// The output is the input, times its level and what the ducking leaves of it, plus the notes, with no latency.
/// With `duck.amount` and `input.level` at 0 dB it is the plain sum; where no note sounds and no effect is on, the
/// input alone, to the bit. (FluidSynth's reverb is never quite silent: −150 dBFS.) The ducking follows the instrument's own output, effects and gain included. A mono input goes to both
/// channels. NaN and infinity of the input are silence for that frame, and leave no trace.
///
/// Its other parameters, its presets and its state are those of ``InstrumentUnit``. The parameters of input
/// and ducking are exact on every frame.
///
/// `@unchecked Sendable`: the state belongs to the render thread.
public final class LayerUnit: RenderUnit, @unchecked Sendable {
  private let instrument: InstrumentUnit
  private let state: UnsafeMutablePointer<LayerState>

  /// - Parameter settings: Its rate and longest cycle have to be those of `format`.
  /// - Throws: ``InstrumentError``.
  init(
    soundFont: SoundFont, settings: InstrumentSettings, format: Format
  ) throws(InstrumentError) {
    instrument = try InstrumentUnit(
      soundFont: soundFont, settings: settings, further: LayerParameters.parameters,
      groups: LayerParameters.groups)
    let parameters = LayerParameters(after: SynthParameters.parameters(settings).count)
    state = .allocate(capacity: 1)
    state.initialize(to: LayerState(instrument.state, parameters, format))
  }

  deinit {
    state.pointee.destroy()
    state.deallocate()
  }

  public var renderer: Renderer {
    Renderer(state: UnsafeMutableRawPointer(state), renderLayer, readiness: isLayerReady)
  }

  public var parameters: ParameterStore? { instrument.parameters }
  public var presets: [Preset] { instrument.presets }
  /// As of the instrument; the input has none.
  public var tail: Int? { instrument.tail }
  public var status: [UnitStatus] { instrument.status }

  public func save() -> [UInt8] { instrument.save() }

  /// - Throws: ``StateError``; nothing has changed then.
  public func restore(_ data: [UInt8]) throws { try instrument.restore(data) }

  public func performDeferredWork() { instrument.performDeferredWork() }
  public func prepare(for cycle: MIDICycle) { instrument.prepare(for: cycle) }
}

@_noLocks @c private func renderLayer(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LayerState.self).pointee.render(cycle.renderCycle)
}

@_noLocks @c private func isLayerReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LayerState.self).pointee.isReady(for: cycle.renderCycle.midi)
}
