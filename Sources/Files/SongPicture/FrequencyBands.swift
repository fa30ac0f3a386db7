import Glibc

/// Which part of a transform belongs to which band.
struct FrequencyBands {
  /// Lower and upper end of each band, in places of the transform.
  private let ends: [(Double, Double)]

  /// - Parameters:
  ///   - bands: How many there are, from the lowest to the highest frequency.
  ///   - sampleRate: Frames per second of what is transformed.
  ///   - length: That of the transform.
  init(bands: Int, sampleRate: Double, length: Int) {
    let places = Double(length) / sampleRate
    let highest = Double(length / 2)
    ends = (0..<bands).map { band in
      // Place k reaches half a place down and up from k.
      let lower = Self.frequency(Double(band), of: bands) * places + 0.5
      let upper = Self.frequency(Double(band + 1), of: bands) * places + 0.5
      // Narrower than a place, it would see the gaps between them.
      let spread = max(0, 1 - (upper - lower)) / 2
      return (min(lower - spread, highest), min(upper + spread, highest))
    }
  }

  /// The power in a band of what was transformed last.
  func power(_ transform: Transform, _ band: Int) -> Float {
    let (lower, upper) = ends[band]
    return Float(Self.sum(transform, to: upper) - Self.sum(transform, to: lower))
  }

  private static func sum(_ transform: Transform, to end: Double) -> Double {
    let sums = transform.sums
    let index = min(Int(end), transform.length / 2 - 1)
    return sums[index] + (sums[index + 1] - sums[index]) * (end - Double(index))
  }

  /// The frequency at a height of the picture.
  ///
  /// - Parameter place: 0, the bottom, to `bands`, the top.
  static func frequency(_ place: Double, of bands: Int) -> Double {
    let range = Spectrograph.range
    return range.lowerBound * pow(range.upperBound / range.lowerBound, place / Double(bands))
  }

  /// The height of a frequency, as a share of the whole.
  static func height(_ frequency: Double) -> Double {
    let range = Spectrograph.range
    return log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }
}
