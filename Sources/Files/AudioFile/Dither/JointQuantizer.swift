/// Quantizes a mix and its stems so that they add up: the sum of the stems' integers equals the mix's integer for
/// every sample.
///
/// The mix is rounded as ``AudioFileWriter`` rounds it. Each stem adds the rounding error of the stem before it; the
/// last stem is the difference that remains to the mix. A stem's error is thus the difference of two rounding errors,
/// for any number of stems: with dither noise of half a unit squared, −95.1 dB below a full-scale sine. What one stem
/// loses is in the next one. A silent stem stays silent, except the last.
///
/// A mix beyond full scale is clipped, but the sum of its stems is not: the mix equals the clipped sum of the stems.
/// If a stem itself is beyond full scale, the stems do not add up; such samples are counted.
///
/// For each block, call ``roundMix(_:to:)``, then ``roundStem(_:to:)`` for each stem but the last, then
/// ``roundLast(_:to:)``.
public struct JointQuantizer {
  /// The number of stem samples that were clipped.
  public private(set) var clippedSamples = 0

  private let scale: Double
  private let isDithered: Bool
  private var mixNoise: TriangularNoise
  private let seed: UInt64
  /// The dither of each stem. Each stem has its own generator, so that the result does not depend on block lengths.
  private var noises: [TriangularNoise] = []
  /// The number of stems rounded so far in this block.
  private var rounded = 0
  /// For each sample of the block, the mix minus the stems rounded so far.
  private var remaining: [Double] = []
  /// For each sample of the block, the accumulated rounding error of the stems, −1.5…1.5 units.
  private var carry: [Double] = []

  /// Creates a quantizer.
  ///
  /// - Parameters:
  ///   - format: The format of all files.
  ///   - seed: The seed of the mix's dither, as for writing the mix alone.
  /// - Returns: `nil` if the format does not store integers.
  public init?(_ format: AudioFormat, seed: UInt64) {
    switch format.encoding {
    case .pcm16: (scale, isDithered) = (32768, true)
    case .pcm24: (scale, isDithered) = (8_388_608, false)
    case .float32, .coded: return nil
    }
    mixNoise = TriangularNoise(seed: seed)
    self.seed = seed
  }

  /// Starts a block and rounds the mix. Input full scale is ±1; the integers are in the format's units.
  ///
  /// - Parameter target: Receives `samples.count` integers from its start.
  public mutating func roundMix(_ samples: Span<Float>, to target: inout [Int32]) {
    if remaining.count < samples.count {
      remaining = Array(repeating: 0, count: samples.count)
      carry = remaining
    }
    rounded = 0
    for i in samples.indices {
      let whole = Quantizer.rounded(Double(samples[i]) * scale + (isDithered ? mixNoise.next() : 0))
      remaining[i] = whole
      carry[i] = 0
      target[i] = Int32(clip(whole))
    }
  }

  /// Rounds a stem of the block, except the last one.
  public mutating func roundStem(_ samples: Span<Float>, to target: inout [Int32]) {
    if noises.count == rounded {
      // Seeds far from the mix's and from each other.
      let seed = (seed ^ 0x5DEE_CE66_D1CE_4E5B) &+ UInt64(rounded) &* 0xA24B_AED4_963E_E407
      noises.append(TriangularNoise(seed: seed))
    }
    var dither = noises[rounded]
    defer {
      noises[rounded] = dither
      rounded += 1
    }
    for i in samples.indices {
      let noise = isDithered ? dither.next() : 0
      guard samples[i] != 0 else {
        target[i] = 0
        continue
      }
      let wanted = Double(samples[i]) * scale + carry[i]
      let whole = Quantizer.rounded(wanted + noise)
      carry[i] = wanted - whole
      remaining[i] -= whole
      target[i] = clipAndCount(whole)
    }
  }

  /// Sets the last stem to the remaining difference to the mix.
  ///
  /// - Parameter count: The number of samples in the block.
  public mutating func roundLast(_ count: Int, to target: inout [Int32]) {
    for i in 0..<count { target[i] = clipAndCount(remaining[i]) }
  }

  private func clip(_ whole: Double) -> Double { max(-scale, min(scale - 1, whole)) }

  private mutating func clipAndCount(_ whole: Double) -> Int32 {
    let clipped = clip(whole)
    if clipped != whole { clippedSamples += 1 }
    return Int32(clipped)
  }
}
