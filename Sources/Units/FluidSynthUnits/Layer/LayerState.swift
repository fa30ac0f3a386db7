import RenderCore

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
