import CPortative
import RenderCore

/// A cycle as a unit in C sees it, and the steps of the cycle that it has read.
///
/// Realtime: yes, except creation. Threads: the render thread.
struct CycleReader: BitwiseCopyable {
  let cycle: UnsafeMutablePointer<portative_cycle>
  private let step: UnsafeMutablePointer<portative_step>
  private let event: UnsafeMutablePointer<portative_event>
  private let transport: UnsafeMutablePointer<portative_transport>
  private(set) var source: RenderCycle
  private var steps: CycleSteps
  private(set) var values: ParameterValues
  /// Whether the steps change the values: only while the unit renders.
  private(set) var isRendering = false
  /// The frame of the current step, and the number of frames in it.
  private var frame = 0
  private var stepFrames = 0

  /// - Parameters:
  ///   - values: The unit's parameters.
  ///   - channels: The number of output channels.
  init(_ values: ParameterValues, channels: Int, in memory: RenderMemory) {
    self.values = values
    cycle = memory.make(portative_cycle())
    cycle.pointee.size = UInt32(MemoryLayout<portative_cycle>.size)
    cycle.pointee.output_channels = UInt32(channels)
    step = memory.make(portative_step())
    event = memory.make(portative_event())
    transport = memory.make(portative_transport())
    source = Self.emptyCycle(MIDICycle(frames: 1), cycle)
    steps = CycleSteps(source)
  }

  /// Makes a cycle without input and output.
  ///
  /// - Parameter memory: Any memory, which is not used.
  @_noLocks private static func emptyCycle(
    _ midi: MIDICycle, _ memory: UnsafeMutablePointer<portative_cycle>
  ) -> RenderCycle {
    RenderCycle(
      midi: midi, position: 0, hostTime: 0,
      output: UnsafeRawPointer(memory).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self))
  }

  /// Begins to read a cycle.
  ///
  /// - Parameter isRendering: Whether the unit renders the cycle. If not, it only looks at it.
  @_noLocks mutating func begin(_ source: RenderCycle, isRendering: Bool) {
    start(source, isRendering: isRendering)
    cycle.pointee.input = source.input.cChannels
    cycle.pointee.input_channels = UInt32(truncatingIfNeeded: source.input.count)
    cycle.pointee.output = UnsafeRawPointer(source.output).assumingMemoryBound(
      to: UnsafeMutablePointer<Float>?.self)
    if isRendering { values.begin() }
  }

  /// Begins to read the events of a cycle, which the unit only looks at.
  @_noLocks mutating func begin(_ midi: MIDICycle) {
    start(Self.emptyCycle(midi, cycle), isRendering: false)
    cycle.pointee.input = nil
    cycle.pointee.input_channels = 0
    cycle.pointee.output = nil
  }

  @_noLocks private mutating func start(_ source: RenderCycle, isRendering: Bool) {
    self.source = source
    self.isRendering = isRendering
    steps = CycleSteps(source)
    (frame, stepFrames) = (0, 0)
    cycle.pointee.frames = UInt32(truncatingIfNeeded: source.frames)
    cycle.pointee.position = source.position
    cycle.pointee.host_time = source.hostTime
  }

  /// Applies the changes that the unit has not read, and makes the parameters' values visible to other threads.
  @_noLocks mutating func end() {
    while next() != nil {}
    isRendering = false
    values.publish()
  }

  /// Returns the next step; `nil` at the end of the cycle.
  @_noLocks mutating func next() -> UnsafePointer<portative_step>? {
    if isRendering { values.advance(frames: stepFrames) }
    frame += stepFrames
    stepFrames = 0
    guard let next = steps.next() else { return nil }
    var fields = portative_step()
    fields.size = UInt32(truncatingIfNeeded: MemoryLayout<portative_step>.size)
    fields.begin = UInt32(truncatingIfNeeded: frame)
    switch next {
    case .transport(let point):
      transport.pointee = portative_transport(point)
      fields.kind = PORTATIVE_STEP_TRANSPORT
      fields.transport = UnsafePointer(transport)
    case .parameter(let change):
      if isRendering { values.apply(change) }
      fields.kind = PORTATIVE_STEP_PARAMETER
      fields.parameter = change.index
      fields.value = change.value
      fields.ramp = change.ramp
    case .event(let found):
      event.pointee = portative_event(found, of: source.midi)
      fields.kind = PORTATIVE_STEP_EVENT
      fields.event = UnsafePointer(event)
    case .frames(_, let end):
      stepFrames = end - frame
      fields.kind = PORTATIVE_STEP_FRAMES
      fields.end = UInt32(truncatingIfNeeded: end)
    }
    step.pointee = fields
    return UnsafePointer(step)
  }
}
