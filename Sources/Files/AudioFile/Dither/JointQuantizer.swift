/// Turns a mix and its stems into integers that add up: the sum of the stems' integers is the mix's, on
/// every sample.
///
/// The mix is rounded as a ``AudioFileWriter`` rounds it. Each stem takes over what rounding the one
/// before it left, and the last stem takes what is left of the mix. So a stem's error is the
/// difference of two single errors, however many stems there are: with dither noise of half a unit
/// squared, −95.1 dB below a full-scale sine; and what one stem loses is in the next. A stem that
/// is silent, but for the last, stays so.
///
/// A mix beyond full scale is clipped, but not what its stems add up to: the mix is then what a clipped
/// sum of the stems is. Where a stem itself is beyond full scale, they do not add up; such samples
/// are counted.
///
/// For each block: ``roundMix(_:to:)``, then for each stem ``roundStem(_:to:)``, then for the last one
/// ``roundLast(_:to:)``.
public struct JointQuantizer {
  /// Samples of stems that were clipped.
  public private(set) var clippedSamples = 0

  private let scale: Double
  private let isDithered: Bool
  private var mixNoise: TriangularNoise
  private let seed: UInt64
  /// Of the stems, in their order: each has its own, so that the lengths of blocks do not matter.
  private var noises: [TriangularNoise] = []
  /// How many stems of the block are rounded.
  private var rounded = 0
  /// For each sample of the block: what is left of the mix for the stems to come.
  private var left: [Double] = []
  /// For each sample of the block: what rounding the stems has left so far, −1.5…1.5 units.
  private var carry: [Double] = []

  /// - Parameters:
  ///   - format: Of all files.
  ///   - seed: The one that the mix would be written with.
  /// - Returns: `nil` where the format keeps no integers.
  public init?(_ format: AudioFormat, seed: UInt64) {
    switch format.encoding {
    case .pcm16: (scale, isDithered) = (32768, true)
    case .pcm24: (scale, isDithered) = (8_388_608, false)
    case .float32, .coded: return nil
    }
    mixNoise = TriangularNoise(seed: seed)
    self.seed = seed
  }

  /// Begins a block: rounds the mix's samples. Full scale is ±1; integers come in the format's units.
  ///
  /// - Parameter target: Gets as many integers as there are samples, at its beginning.
  public mutating func roundMix(_ samples: Span<Float>, to target: inout [Int32]) {
    if left.count < samples.count {
      left = Array(repeating: 0, count: samples.count)
      carry = left
    }
    rounded = 0
    for i in samples.indices {
      let whole = Quantizer.rounded(Double(samples[i]) * scale + (isDithered ? mixNoise.next() : 0))
      left[i] = whole
      carry[i] = 0
      target[i] = Int32(clip(whole))
    }
  }

  /// Rounds a stem of the block, but for the last.
  public mutating func roundStem(_ samples: Span<Float>, to target: inout [Int32]) {
    if noises.count == rounded {
      // Far from the mix's, and from each other.
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
      left[i] -= whole
      target[i] = clipAndCount(whole)
    }
  }

  /// Gives the last stem all that is left of the mix.
  ///
  /// - Parameter count: How many samples the block has.
  public mutating func roundLast(_ count: Int, to target: inout [Int32]) {
    for i in 0..<count { target[i] = clipAndCount(left[i]) }
  }

  private func clip(_ whole: Double) -> Double { max(-scale, min(scale - 1, whole)) }

  private mutating func clipAndCount(_ whole: Double) -> Int32 {
    let clipped = clip(whole)
    if clipped != whole { clippedSamples += 1 }
    return Int32(clipped)
  }
}
