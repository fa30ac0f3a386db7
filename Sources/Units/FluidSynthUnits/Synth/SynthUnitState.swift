import FluidSynthEngine
import RenderCore

/// All that the render thread of an instrument's unit works on.
///
/// A cycle is rendered in stretches, from one change of a parameter to the next, which the engine's output does
/// not depend on. Gain is exact on every frame. All other parameters act on the very frame where they jump;
/// where they glide they go on in steps, one for every 64 frames of the unit's own count.
///
/// Realtime: yes. ``InstrumentUnit`` makes it.
struct SynthUnitState: BitwiseCopyable {
  private let engine: Engine
  private(set) var values: ParameterValues
  private var controls: SynthControls
  private let board: ChannelSnapshot
  private let figures: UnitFigures
  /// Frames since the unit's first.
  private var position = 0
  /// Whether a parameter was on its way when the engine was last told.
  private var isGliding = false
  private var nextChange = 0
  private var nextEvent = 0
  /// Notes that did not begin on their frame, as of the last cycle.
  private var lateNotes = 0

  init(
    _ engine: Engine, _ values: ParameterValues, choosesPreset: Bool, _ board: ChannelSnapshot,
    _ figures: UnitFigures
  ) {
    self.engine = engine
    self.values = values
    controls = SynthControls(values, choosesPreset: choosesPreset)
    self.board = board
    self.figures = figures
  }

  /// Takes over what was set from other threads. Before the stretches of each cycle.
  @_noLocks mutating func begin() {
    (nextChange, nextEvent) = (0, 0)
    if values.begin() { tellEngine() }
    board.takeOver(engine)
    controls.followPreset(engine, &values)
  }

  /// Whether the notes of a cycle can begin on their frames. If not, it has asked for what is missing.
  @_noLocks func isReady(for cycle: MIDICycle) -> Bool {
    var notes = 0
    for event in cycle.events {
      if case .channel(let message) = event.content, message.startsNote { notes += 1 }
    }
    return notes == 0 ? true : engine.isReady(forNotes: notes)
  }

  /// Renders from a frame of a cycle to the next change, or to the cycle's end.
  ///
  /// - Parameters:
  ///   - left: Gets the stretch's samples.
  ///   - right: The same.
  /// - Returns: The frame at which it ends. ``values`` are those of its first frame, until ``advance(frames:)``.
  @_noLocks mutating func renderStretch(
    of cycle: RenderCycle, from begin: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) -> Int {
    let isNew = applyChanges(cycle, at: begin)
    if isNew || (isGliding && position % 64 == 0) { tellEngine() }
    let end = self.end(of: cycle, from: begin)
    cycle.feedback.advance()
    engine.render(part(of: cycle, begin, end), begin: begin, left: left, right: right)
    amplify(left, right, frames: end - begin)
    return end
  }

  /// Goes on behind a stretch.
  @_noLocks mutating func advance(frames: Int) {
    values.advance(frames: frames)
    position += frames
    controls.followPreset(engine, &values)
  }

  /// Lets other threads see what has become. After each cycle.
  ///
  /// - Returns: Whether the unit is to be tended.
  @_noLocks mutating func finish(_ feedback: CycleFeedback) -> Bool {
    values.publish()
    board.publish(engine.takeTouched(), of: engine)
    let statistics = engine.statistics
    figures.publish(statistics, isSounding: engine.isSounding)
    feedback.count(lateNotes: statistics.inexactOnsets - lateNotes)
    lateNotes = statistics.inexactOnsets
    return engine.needsSupply
  }

  @_noLocks private mutating func tellEngine() {
    controls.tell(engine, values)
    isGliding = values.isRamping
  }

  @_noLocks private mutating func applyChanges(_ cycle: RenderCycle, at place: Int) -> Bool {
    let first = nextChange
    while nextChange < cycle.parameters.count,
      Int(cycle.parameters[nextChange].offset) <= place
    {
      values.apply(cycle.parameters[nextChange])
      nextChange += 1
    }
    return nextChange > first
  }

  @_noLocks private func end(of cycle: RenderCycle, from begin: Int) -> Int {
    var end = cycle.frames
    if nextChange < cycle.parameters.count {
      end = min(end, Int(cycle.parameters[nextChange].offset))
    }
    return isGliding ? min(end, begin + 64 - position % 64) : end
  }

  @_noLocks private mutating func part(of cycle: RenderCycle, _ begin: Int, _ end: Int) -> MIDICycle
  {
    let events = cycle.events
    let first = nextEvent
    let isLast = end == cycle.frames
    while nextEvent < events.count, isLast || Int(events[nextEvent].offset) < end {
      nextEvent += 1
    }
    var part = cycle.midi
    part.frames = end - begin
    part.events = UnsafeBufferPointer(rebasing: events[first..<nextEvent])
    return part
  }

  @_noLocks private func amplify(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let gain = GainCurve(values, SynthParameters.gain, frames: frames)
    if gain.isOne { return }
    for i in 0..<frames {
      let factor = gain.factor(at: i)
      left[i] *= factor
      right[i] *= factor
    }
  }
}
