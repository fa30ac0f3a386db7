public import RenderCore

/// A FluidSynth instrument that is mixed with the audio input, which is ducked while notes sound.
///
/// The output is the input, scaled by `input.level` and by the ducking, plus the notes, without latency. With
/// `duck.amount` and `input.level` at 0 dB it is the plain sum. While no note sounds and no effect is on, it is
/// then bit-identical to the input. (FluidSynth's reverb is never entirely silent: −150 dBFS.) The sidechain of the
/// ducking is the instrument's output, including effects and gain. A mono input goes to both channels. NaN and
/// infinity in the input are replaced by silence on that frame and do not affect later frames.
///
/// The other parameters, the presets and the state are those of ``InstrumentUnit``. The parameters of input
/// and ducking are exact on every frame.
///
/// `@unchecked Sendable`: the state belongs to the render thread.
public final class LayerUnit: RenderUnit, @unchecked Sendable {
  private let instrument: InstrumentUnit
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<LayerState>

  /// - Parameters:
  ///   - soundFont: The SoundFont to play.
  ///   - settings: The instrument's settings. The rate and the maximum cycle length must be those of `format`.
  ///   - format: The format of input and output.
  init(
    soundFont: SoundFont, settings: InstrumentSettings, format: Format
  ) throws(InstrumentError) {
    instrument = try InstrumentUnit(
      soundFont: soundFont, settings: settings, additional: LayerParameters.parameters,
      groups: LayerParameters.groups)
    let parameters = LayerParameters(after: SynthParameter.parameters(settings).count)
    state = memory.make(LayerState(instrument.state, parameters, format, in: memory))
  }

  public var renderer: Renderer {
    Renderer(state: UnsafeMutableRawPointer(state), renderLayer, readiness: isLayerReady)
  }

  public var parameters: ParameterStore? { instrument.parameters }
  public var presets: [Preset] { instrument.presets }
  /// The instrument's tail; the processing of the input has none.
  public var tail: Int? { instrument.tail }
  public var status: [UnitStatus] { instrument.status }

  public func save() -> [UInt8] { instrument.save() }

  /// - Throws: ``StateError``; the state is then unchanged.
  public func restore(_ data: [UInt8]) throws { try instrument.restore(data) }

  public func performDeferredWork() { instrument.performDeferredWork() }
  public func prepare(for cycle: MIDICycle) { instrument.prepare(for: cycle) }
}

@_noLocks private func renderLayer(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LayerState.self).pointee.render(cycle.renderCycle)
}

@_noLocks private func isLayerReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LayerState.self).pointee.isReady(for: cycle.renderCycle.midi)
}

/// The state of a layer's render thread: an instrument's state, and the processing of the input.
///
/// Realtime: yes. ``LayerUnit`` creates it.
struct LayerState: BitwiseCopyable {
  private let instrument: UnsafeMutablePointer<SynthUnitState>
  private let parameters: LayerParameters
  private var ducker: Ducker
  /// The instrument's output: left, then right, `maximumFrames` samples each.
  private let notes: UnsafeMutablePointer<Float>
  private let maximumFrames: Int

  init(
    _ instrument: UnsafeMutablePointer<SynthUnitState>, _ parameters: LayerParameters,
    _ format: Format, in memory: RenderMemory
  ) {
    self.instrument = instrument
    self.parameters = parameters
    ducker = Ducker(rate: format.sampleRate)
    maximumFrames = format.maximumFrames
    notes = memory.make(2 * maximumFrames, of: 0)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) -> Bool {
    let (left, right) = (notes, notes + maximumFrames)
    return instrument.pointee.render(cycle, into: .stereo(left: left, right: right)) {
      values, begin, end in
      mix(cycle, values, left, right, from: begin, to: end)
    }
  }

  @_noLocks mutating func isReady(for cycle: MIDICycle) -> Bool {
    instrument.pointee.isReady(for: cycle)
  }

  @_noLocks private mutating func mix(
    _ cycle: RenderCycle, _ values: ParameterValues, _ left: UnsafePointer<Float>,
    _ right: UnsafePointer<Float>, from begin: Int, to end: Int
  ) {
    let level = GainCurve(values, parameters.inputLevel, frames: end - begin)
    let input = cycle.input
    for i in begin..<end {
      let frame = i - begin
      let factor =
        level.factor(at: frame)
        * ducker.next(
          left[i], right[i], amount: values.value(parameters.amount, after: frame),
          attack: values.value(parameters.attack, after: frame),
          release: values.value(parameters.release, after: frame))
      // Both input samples are read before the output is written, because the buffers may be the same.
      let processed = (
        Sample.sanitize(input[0][i]) * factor, Sample.sanitize(input[input.count - 1][i]) * factor
      )
      cycle.output[0][i] = Self.add(left[i], to: processed.0)
      cycle.output[1][i] = Self.add(right[i], to: processed.1)
    }
  }

  /// Adds a sample of the instrument to the input. Silence leaves the input bit-identical, even −0, which
  /// −0 + 0 would not.
  @_noLocks private static func add(_ note: Float, to input: Float) -> Float {
    note == 0 ? input : input + note
  }
}
