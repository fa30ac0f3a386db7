import NodeProtocol
import RenderCore

// Creation and destruction, which must not happen on the render thread.
extension HostState {
  /// Allocates the state. The caller must call ``destroy()``.
  ///
  /// - Parameter priority: The SCHED_FIFO priority of the render thread; 0 for the default scheduler.
  init(
    _ segment: Segment, phase: AtomicConnectionState, mode: RenderMode, priority: Int,
    lateLimit: Int,
    deadlineFraction: Double = 0.9, stallLimit: Duration? = .seconds(10),
    parameters: ParameterTree = ParameterTree()
  ) {
    cycle = segment.cycle
    self.phase = phase
    format = segment.layout.format
    isOffline = mode == .offline
    self.stallLimit = stallLimit.map { Int64(max(0, min($0 / .nanoseconds(1), 1e18))) }
    waitDeadline =
      isOffline ? nil : DeadlineTimer.shared.add(segment.cycle.answered, priority: priority)
    self.lateLimit = lateLimit
    self.deadlineFraction = deadlineFraction
    writer = EventWriter(segment, .toNode)
    store = EventStore()
    reader = EventReader(segment, .toHost)
    counters = segment.counters
    statistics = .allocate(capacity: 1)
    statistics.initialize(to: CycleStatistics())
    channels = .allocate(capacity: format.outputChannels)
    for channel in 0..<format.outputChannels {
      (channels + channel).initialize(to: segment.output(channel: channel))
    }
    outputs = .allocate(capacity: format.outputChannels)
    inputs = .allocate(capacity: max(1, format.inputChannels))
    for channel in 0..<format.inputChannels {
      (inputs + channel).initialize(to: segment.input(channel: channel))
    }
    pulled = .allocate(capacity: max(1, format.inputChannels))
    for channel in 0..<format.inputChannels {
      (pulled + channel).initialize(to: .allocate(capacity: format.maximumFrames))
      pulled[channel].initialize(repeating: 0, count: format.maximumFrames)
    }
    self.parameters = ParameterRanges(parameters)
    transport = TransportList()
    transportWriter = TransportWriter(segment)
    silence = .allocate(capacity: format.maximumFrames)
    silence.initialize(repeating: 0, count: format.maximumFrames)
  }

  /// Frees the state. Must be called before the segment is released.
  func destroy() {
    if let waitDeadline { DeadlineTimer.shared.remove(waitDeadline) }
    store.destroy()
    reader.destroy()
    channels.deallocate()
    outputs.deallocate()
    inputs.deallocate()
    for channel in 0..<format.inputChannels { pulled[channel].deallocate() }
    pulled.deallocate()
    parameters.destroy()
    transport.destroy()
    silence.deallocate()
    statistics.deallocate()
  }
}
