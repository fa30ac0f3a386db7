import HostConnection
import RenderCore

// Making and freeing: never on the render thread.
extension HostState {
  init(_ segment: Segment, phase: PhaseWord, mode: RenderMode, lateLimit: Int) {
    cycle = segment.cycle
    self.phase = phase
    format = segment.layout.format
    waits = mode == .offline
    self.lateLimit = lateLimit
    writer = EventWriter(segment)
    store = EventStore()
    channels = .allocate(capacity: format.channels)
    for channel in 0..<format.channels {
      (channels + channel).initialize(to: segment.output(channel: channel))
    }
    silence = .allocate(capacity: format.maximumFrames)
    silence.initialize(repeating: 0, count: format.maximumFrames)
  }

  func destroy() {
    store.destroy()
    channels.deallocate()
    silence.deallocate()
  }
}
