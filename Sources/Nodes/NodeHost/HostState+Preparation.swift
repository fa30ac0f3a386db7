import NodeProtocol
import RenderCore

// Making and freeing: never on the render thread.
extension HostState {
  /// - Parameter priority: The render thread's, under SCHED_FIFO, or 0.
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
    board = DeadlineTimer.shared.board
    place =
      isOffline ? nil : DeadlineTimer.shared.join(segment.cycle.answered, priority: priority)
    self.lateLimit = lateLimit
    self.deadlineFraction = deadlineFraction
    writer = EventWriter(segment, .toNode)
    store = EventStore()
    reader = EventReader(segment, .toHost)
    counters = segment.counters
    channels = .allocate(capacity: format.channels)
    for channel in 0..<format.channels {
      (channels + channel).initialize(to: segment.output(channel: channel))
    }
    heard = .allocate(capacity: format.channels)
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

  /// Before the segment is let go.
  func destroy() {
    if let place { DeadlineTimer.shared.leave(place) }
    store.destroy()
    reader.destroy()
    channels.deallocate()
    heard.deallocate()
    inputs.deallocate()
    for channel in 0..<format.inputChannels { pulled[channel].deallocate() }
    pulled.deallocate()
    parameters.destroy()
    transport.destroy()
    silence.deallocate()
  }
}
