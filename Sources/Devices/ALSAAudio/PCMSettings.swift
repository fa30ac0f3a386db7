import RenderCore

/// What we would like a device to do.
struct PCMWish: Equatable, Sendable {
  /// Frames per second.
  var rate = 48_000
  /// Frames of a period, which is a cycle of ours.
  var period = 256
  /// Periods that the device's buffer has: 2 or more.
  var periods = 3
  /// The best first.
  var encodings = SampleEncoding.allCases
  var accesses = PCMAccess.allCases
}

/// How samples get to a device.
///
/// The corresponding C type is `snd_pcm_access_t`.
enum PCMAccess: CaseIterable, Sendable, BitwiseCopyable {
  /// Into its buffer, the samples of a frame side by side.
  case mappedInterleaved
  /// Into its buffer, which has a part for each channel.
  case mappedSeparate
  /// By way of a buffer of ours.
  case written

  var isMapped: Bool {
    @_noLocks get {
      switch self {
      case .mappedInterleaved, .mappedSeparate: true
      case .written: false
      }
    }
  }
}

/// What a device has settled on.
struct PCMSettings: Equatable, Sendable, BitwiseCopyable {
  /// Frames per second.
  var rate: Int
  /// The device's; we play two.
  var channels: Int
  var encoding: SampleEncoding
  var access: PCMAccess
  /// Frames of a period.
  var period: Int
  /// Frames of the device's buffer, which need not be a number of periods.
  var buffer: Int
  /// Whether it says when it was at which frame, by the monotonic clock.
  var isStamped: Bool

  var format: Format { Format(sampleRate: rate, channels: 2, maximumFrames: period) }

  /// Frames that are still to be heard when there is room for a period.
  var latency: Int { buffer - period }

  /// For people: "48000 Hz, 3 × 256 frames, 16 bits".
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
