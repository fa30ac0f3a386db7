import RenderCore

/// All that the render thread of a layer works on: an instrument's state, and what it does to the input.
///
/// Realtime: yes. ``LayerUnit`` makes it.
struct LayerState: BitwiseCopyable {
  private let instrument: UnsafeMutablePointer<SynthUnitState>
  private let parameters: LayerParameters
  private var ducker: Ducker
  /// What the instrument plays: left, then right, as long as the longest cycle each.
  private let notes: UnsafeMutablePointer<Float>
  private let maximumFrames: Int

  init(
    _ instrument: UnsafeMutablePointer<SynthUnitState>, _ parameters: LayerParameters,
    _ format: Format
  ) {
    self.instrument = instrument
    self.parameters = parameters
    ducker = Ducker(rate: format.sampleRate)
    maximumFrames = format.maximumFrames
    notes = .allocate(capacity: 2 * maximumFrames)
    notes.initialize(repeating: 0, count: 2 * maximumFrames)
  }

  /// Realtime: no.
  func destroy() { notes.deallocate() }

  @_noLocks mutating func render(_ cycle: RenderCycle) -> Bool {
    let (left, right) = (notes, notes + maximumFrames)
    instrument.pointee.begin()
    var place = 0
    while place < cycle.frames {
      let end = instrument.pointee.renderStretch(
        of: cycle, from: place, left: left + place, right: right + place)
      mix(cycle, left, right, from: place, to: end)
      instrument.pointee.advance(frames: end - place)
      place = end
    }
    return instrument.pointee.finish(cycle.feedback)
  }

  @_noLocks func isReady(for cycle: MIDICycle) -> Bool { instrument.pointee.isReady(for: cycle) }

  @_noLocks private mutating func mix(
    _ cycle: RenderCycle, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    from begin: Int, to end: Int
  ) {
    let values = instrument.pointee.values
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
      // Both first, for the output may be the input's memory.
      let heard = (
        Sample.tame(input[0][i]) * factor, Sample.tame(input[input.count - 1][i]) * factor
      )
      cycle.output[0][i] = Self.lay(left[i], over: heard.0)
      cycle.output[1][i] = Self.lay(right[i], over: heard.1)
    }
  }

  /// Without a note the input is itself to the bit, which −0 + 0 would not be.
  @_noLocks private static func lay(_ note: Float, over input: Float) -> Float {
    note == 0 ? input : input + note
  }
}
