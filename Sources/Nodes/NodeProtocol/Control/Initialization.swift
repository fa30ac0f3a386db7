package import RenderCore

/// A host's request to initialize a port.
package struct Initialization: Codable, Equatable, Sendable {
  package var sampleRate: Int
  package var inputChannels: Int
  package var channels: Int
  package var maximumFrames: Int
  /// Whether the host waits for each cycle without a deadline.
  package var isOffline: Bool
  /// The SCHED_FIFO priority of the host's render thread, 1…99; 0 for the default scheduler.
  package var priority: Int

  package init(_ format: Format, isOffline: Bool, priority: Int) {
    sampleRate = format.sampleRate
    inputChannels = format.inputChannels
    channels = format.channels
    maximumFrames = format.maximumFrames
    self.isOffline = isOffline
    self.priority = priority
  }

  package var format: Format {
    Format(
      sampleRate: sampleRate, inputChannels: inputChannels, channels: channels,
      maximumFrames: maximumFrames)
  }
}
