import CFluidSynthOverrides
import RenderCore

/// The state of an instrument unit's render thread.
///
/// A cycle is rendered in segments, from one parameter change to the next; the segmentation does not affect the
/// engine's output. Gain is exact on every frame. All other parameters take effect on the exact frame of a jump;
/// ramps are applied in steps, one every 64 frames counted from the unit's first frame.
///
/// Realtime: yes. ``InstrumentUnit`` creates it.
struct SynthUnitState: BitwiseCopyable {
  private let engine: Engine
  private var values: ParameterValues
  private var controls: SynthControls
  private let channelSnapshot: ChannelSnapshot
  private let figures: UnitFigures
  /// The number of frames since the unit's first.
  private var position = 0
  /// Whether a parameter was ramping when the parameters were last applied.
  private var isRamping = false
  private var nextChange = 0
  private var nextEvent = 0
  /// The number of notes that did not start on their frames, up to the last cycle.
  private var lateNotes = 0

  init(
    _ engine: Engine, _ values: ParameterValues, _ settings: InstrumentSettings,
    _ channelSnapshot: ChannelSnapshot, _ figures: UnitFigures
  ) {
    self.engine = engine
    self.values = values
    controls = SynthControls(values, settings)
    self.channelSnapshot = channelSnapshot
    self.figures = figures
  }

  /// Renders a cycle.
  ///
  /// - Parameters:
  ///   - output: Receives the samples.
  ///   - process: Called after each segment, with the parameter values at its first frame, and its range.
  /// - Returns: Whether the unit has deferred work to perform.
  @_noLocks mutating func render(
    _ cycle: RenderCycle, into output: SynthOutput,
    _ process: (ParameterValues, _ begin: Int, _ end: Int) -> Void
  ) -> Bool {
    rendering_begin()
    defer { rendering_end() }
    begin()
    var frame = 0
    while frame < cycle.frames {
      let end = renderSegment(of: cycle, from: frame, into: output)
      process(values, frame, end)
      advance(frames: end - frame)
      frame = end
    }
    return finish(cycle.feedback)
  }

  /// Applies what other threads have set: first the channels that were restored, and then the values, because a state is
  /// restored before values are set. A value that is found here was set after a state that is pending.
  @_noLocks mutating func begin() {
    (nextChange, nextEvent) = (0, 0)
    let hasNew = values.begin()
    channelSnapshot.applyPending(to: engine)
    controls.trackPreset(engine, &values, keepingNew: hasNew)
    if hasNew { applyControls() }
  }

  /// Whether the notes of the next cycle can start on their frames. If not, what is missing has been requested.
  @_noLocks mutating func isReady(for cycle: MIDICycle) -> Bool {
    rendering_begin()
    defer { rendering_end() }
    // Channels that were restored decide which samples the notes need.
    begin()
    return engine.isReady(for: cycle)
  }

  /// Renders a segment: from a frame of a cycle to the next change, or to the end of the cycle.
  ///
  /// ``values`` remain those of the segment's first frame until ``advance(frames:)``.
  ///
  /// - Returns: The end of the segment, as a frame of the cycle.
  @_noLocks private mutating func renderSegment(
    of cycle: RenderCycle, from begin: Int, into output: SynthOutput
  ) -> Int {
    let hasChanged = applyChanges(cycle, at: begin)
    if hasChanged || (isRamping && position % 64 == 0) { applyControls() }
    let end = self.end(of: cycle, from: begin)
    cycle.feedback.advance()
    let part = part(of: cycle, begin, end)
    let gain = GainCurve(values, SynthParameter.gain.index, frames: end - begin)
    output.render(part, by: engine, from: begin, gain)
    return end
  }

  /// Advances past a segment.
  @_noLocks private mutating func advance(frames: Int) {
    values.advance(frames: frames)
    position += frames
    controls.trackPreset(engine, &values)
  }

  /// Publishes the state to other threads.
  ///
  /// - Returns: Whether the unit has deferred work to perform.
  @_noLocks private mutating func finish(_ feedback: CycleFeedback) -> Bool {
    values.publish()
    channelSnapshot.publish(engine.readChangedChannels(), of: engine)
    let statistics = engine.statistics
    figures.publish(statistics, isSounding: engine.isSounding)
    feedback.count(lateNotes: statistics.inexactOnsets - lateNotes)
    lateNotes = statistics.inexactOnsets
    return engine.needsSupply
  }

  @_noLocks private mutating func applyControls() {
    controls.apply(values, to: engine)
    isRamping = values.isRamping
  }

  @_noLocks private mutating func applyChanges(_ cycle: RenderCycle, at frame: Int) -> Bool {
    let first = nextChange
    while nextChange < cycle.parameters.count,
      Int(cycle.parameters[nextChange].offset) <= frame
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
    return isRamping ? min(end, begin + 64 - position % 64) : end
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
}
