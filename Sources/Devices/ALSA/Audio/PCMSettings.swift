import RenderCore

/// The requested configuration of a device.
struct PCMRequest: Equatable, Sendable {
  /// Frames per second.
  var rate = 48_000
  /// Frames per period. One period is one render cycle.
  var period = 256
  /// Periods in the device's buffer, 2 or more.
  var periods = 3
  /// The accepted encodings, the best first.
  var encodings = SampleEncoding.allCases
  var accesses = PCMAccess.allCases
}

/// How samples are transferred to a device.
///
/// The corresponding C type is `snd_pcm_access_t`.
enum PCMAccess: CaseIterable, Sendable, BitwiseCopyable {
  /// Written into the device's memory-mapped buffer, interleaved.
  case mappedInterleaved
  /// Written into the device's memory-mapped buffer, with a separate area for each channel.
  case mappedSeparate
  /// Copied from our own interleaved buffer.
  case written

  var isMapped: Bool { self != .written }
}

/// The actual configuration of a device.
struct PCMSettings: Equatable, Sendable, BitwiseCopyable {
  /// Frames per second.
  var rate: Int
  /// The device's number of channels. Two are played.
  var channels: Int
  var encoding: SampleEncoding
  var access: PCMAccess
  /// Frames per period.
  var period: Int
  /// Frames in the device's buffer; not necessarily a multiple of the period.
  var buffer: Int
  /// Whether the device timestamps its positions by CLOCK_MONOTONIC.
  var isStamped: Bool

  var format: Format { Format(sampleRate: rate, outputChannels: 2, maximumFrames: period) }

  /// A description for users: "48000 Hz, 3 × 256 frames, 16 bits".
  var summary: String {
    let length =
      buffer % period == 0
      ? "\(buffer / period) × \(period) frames" : "\(period) of \(buffer) frames"
    let layout =
      switch channels {
      case 1: ", mono"
      case 2: ""
      default: ", the first two of \(channels) channels"
      }
    return "\(rate) Hz, \(length), \(encoding.name)\(layout)"
  }
}
