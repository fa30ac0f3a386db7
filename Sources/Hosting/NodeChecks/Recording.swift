import Glibc

/// What a port has played.
struct Recording: Equatable {
  private(set) var channels: [[Float]]
  /// The infinite and NaN samples, which are 0 in ``channels``.
  var invalidSamples = 0

  /// The level above which something sounds: −80 dB of the full scale.
  static let audible: Float = 1e-4

  init(channels: Int, frames: Int) {
    self.channels = (0..<channels).map { _ in
      var samples: [Float] = []
      samples.reserveCapacity(frames)
      return samples
    }
  }

  mutating func append(_ samples: UnsafeBufferPointer<Float>, to channel: Int) {
    channels[channel] += samples
  }

  var frames: Int { channels.first?.count ?? 0 }
  var peak: Float { peak(in: 0..<frames) }
  var isAudible: Bool { peak > Self.audible }

  func peak(in range: Range<Int>) -> Float {
    channels.reduce(0) { peak, samples in
      samples[range.clamped(to: 0..<samples.count)].reduce(peak) { max($0, abs($1)) }
    }
  }

  /// Returns whether the samples from a frame on have the bits of another recording's first samples.
  func hasBits(of other: Recording, from frame: Int = 0, count: Int? = nil) -> Bool {
    let count = count ?? min(frames - frame, other.frames)
    return zip(channels, other.channels).allSatisfy { own, others in
      (0..<count).allSatisfy { own[frame + $0].bitPattern == others[$0].bitPattern }
    }
  }

  /// Returns the first frame at which a sample differs by more than a tolerance; `nil` if none does.
  func firstDifference(from other: Recording, above tolerance: Float = 0) -> Int? {
    var first: Int?
    for (own, others) in zip(channels, other.channels) {
      let end = min(first ?? .max, own.count, others.count)
      for frame in 0..<end where abs(own[frame] - others[frame]) > tolerance {
        first = frame
        break
      }
    }
    return first
  }

  /// Returns the largest difference of a sample.
  func largestDifference(from other: Recording) -> Float {
    zip(channels, other.channels).reduce(0) { largest, pair in
      zip(pair.0, pair.1).reduce(largest) { max($0, abs($1.0 - $1.1)) }
    }
  }
}

/// Returns a level in decibels of the full scale.
func decibels(_ level: Float) -> Double { level > 0 ? 20 * log10(Double(level)) : -.infinity }

/// A level as text: `−12 dB`.
func levelText(_ level: Float) -> String {
  if level == 0 { return "silent" }
  let whole = Int(decibels(level).rounded())
  return "\(whole < 0 ? "−" : "")\(abs(whole)) dB"
}
