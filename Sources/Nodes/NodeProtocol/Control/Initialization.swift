package import RenderCore

/// How a port is to be initialized.
package struct Initialization: Codable, Equatable, Sendable {
  package var sampleRate: Int
  package var inputChannels: Int
  package var channels: Int
  package var maximumFrames: Int
  /// Whether the host waits as long as it takes.
  package var isOffline: Bool
  /// The priority of the host's render thread under SCHED_FIFO; 0: the ordinary scheduler.
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
