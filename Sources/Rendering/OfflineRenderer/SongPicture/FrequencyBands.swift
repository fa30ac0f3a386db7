import Glibc

/// Maps the bins of a transform to logarithmic frequency bands.
struct FrequencyBands {
  /// The lower and upper end of each band, in bins of the transform.
  private let ends: [(Double, Double)]

  /// Creates the bands.
  ///
  /// - Parameters:
  ///   - bands: The number of bands, from the lowest to the highest frequency.
  ///   - sampleRate: Frames per second of the transformed signal.
  ///   - length: The length of the transform, in frames.
  init(bands: Int, sampleRate: Double, length: Int) {
    let binsPerHertz = Double(length) / sampleRate
    let highest = Double(length / 2)
    ends = (0..<bands).map { band in
      // Bin k extends from k − 0.5 to k + 0.5.
      let lower = Self.frequency(Double(band), of: bands) * binsPerHertz + 0.5
      let upper = Self.frequency(Double(band + 1), of: bands) * binsPerHertz + 0.5
      // A band narrower than a bin would show the gaps between bins.
      let spread = max(0, 1 - (upper - lower)) / 2
      return (min(lower - spread, highest), min(upper + spread, highest))
    }
  }

  /// Returns the power in a band at the last transform.
  func power(_ transform: Transform, _ band: Int) -> Float {
    let (lower, upper) = ends[band]
    return Float(Self.sum(transform, to: upper) - Self.sum(transform, to: lower))
  }

  private static func sum(_ transform: Transform, to end: Double) -> Double {
    let sums = transform.sums
    let index = min(Int(end), transform.length / 2 - 1)
    return sums[index] + (sums[index + 1] - sums[index]) * (end - Double(index))
  }

  /// Returns the frequency at a height of the panel.
  ///
  /// - Parameter height: From 0, the bottom, to `bands`, the top.
  static func frequency(_ height: Double, of bands: Int) -> Double {
    let range = Spectrograph.range
    return range.lowerBound * pow(range.upperBound / range.lowerBound, height / Double(bands))
  }

  /// Returns the height of a frequency as a fraction of the panel's height.
  static func height(_ frequency: Double) -> Double {
    let range = Spectrograph.range
    return log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }
}
