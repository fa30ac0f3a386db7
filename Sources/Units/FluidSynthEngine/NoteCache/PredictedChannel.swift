import CFluidSynthOverrides
import CRender

/// Predicts a channel of a block as the weighted sum of one or two others.
///
/// A voice adds one signal to left, right and the two sends, scaled by a gain each. With one voice,
/// right is left times a gain; with two voices, such as the halves of a stereo sample, each send is a
/// weighted sum of left and right. FluidSynth adds in double precision and this type uses single
/// precision, so the prediction is off by a few units in the last place.
struct PredictedChannel {
  private let a: UnsafePointer<Float>
  private let b: UnsafePointer<Float>
  /// The indices of the gains of `a` and `b` among the block's four gains; 4 means that `b` is unused.
  private let gainA: Int
  private let gainB: Int

  /// - Parameters:
  ///   - channel: 0…3: left, right, reverb send, chorus send.
  ///   - sources: The channels before it that are not silent.
  /// - Returns: `nil` if there is no channel to predict from.
  @_noLocks init?(_ channel: Int, of sources: SourceChannels) {
    if channel == 3, let reverbSend = sources.reverbSend {
      (a, b, gainA, gainB) = (reverbSend, reverbSend, 3, 4)
    } else if channel > 1, let left = sources.left, let right = sources.right {
      (a, b, gainA, gainB) = (left, right, 1, 2)
    } else if channel > 0, let one = sources.left ?? sources.right {
      (a, b, gainA, gainB) = (one, one, channel == 1 ? 0 : 1, 4)
    } else {
      return nil
    }
  }

  /// Computes the residuals: the differences between `samples` and the prediction, in units in the last place.
  ///
  /// - Parameters:
  ///   - gains: Tried first as they are; estimated from the block if a residual is too large.
  ///   - residuals: Receives one byte per sample.
  /// - Returns: The number of bits per residual, 0 if the prediction is exact; `nil` if a residual does not fit into
  ///   one byte.
  @_noLocks func derive(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>,
    to residuals: UnsafeMutablePointer<Int8>
  ) -> Int? {
    if let bits = compare(samples, gains, to: residuals) { return bits }
    estimate(samples, &gains)
    return compare(samples, gains, to: residuals)
  }

  /// Writes the channel: the prediction plus `residuals`; `nil` means that all residuals are 0.
  @_noLocks func restore(
    _ samples: UnsafeMutablePointer<Float>, _ gains: SIMD4<Float>,
    _ residuals: UnsafePointer<Int8>?
  ) {
    weighted_sum(
      a, gain(gainA, gains), b, gain(gainB, gains), residuals, samples, Lane.blockFrames)
  }

  @_noLocks private func compare(
    _ samples: UnsafeMutablePointer<Float>, _ gains: SIMD4<Float>,
    to residuals: UnsafeMutablePointer<Int8>
  ) -> Int? {
    let (gainA, gainB) = (gain(gainA, gains), gain(gainB, gains))
    var all: Int32 = 0
    var (two, four, eight) = (UInt32(0), UInt32(0), UInt32(0))
    for i in 0..<Lane.blockFrames {
      let sum = gainA * a[i] + gainB * b[i]
      let residual =
        Int32(bitPattern: samples[i].bitPattern) &- Int32(bitPattern: sum.bitPattern)
      all |= residual
      two |= UInt32(bitPattern: residual &+ 2)
      four |= UInt32(bitPattern: residual &+ 8)
      eight |= UInt32(bitPattern: residual &+ 128)
      residuals[i] = Int8(truncatingIfNeeded: residual)
    }
    return all == 0 ? 0 : ResidualBits.bits(two: two, four: four, eight: eight)
  }

  /// Estimates the gains by least squares.
  @_noLocks private func estimate(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>
  ) {
    let zero = SIMD4<Double>(repeating: 0)
    var sums = (zero, zero, zero, zero, zero)
    // Four accumulators, because each addition waits for the previous one.
    for i in stride(from: 0, to: Lane.blockFrames, by: 4) {
      let (x, y, s) = (four(a + i), four(b + i), four(samples + i))
      sums.0 += x * x
      sums.1 += y * y
      sums.2 += x * y
      sums.3 += x * s
      sums.4 += y * s
    }
    let (aa, bb, ab) = (sums.0.sum(), sums.1.sum(), sums.2.sum())
    let (sa, sb) = (sums.3.sum(), sums.4.sum())
    let determinant = aa * bb - ab * ab
    if gainB < 4, determinant > 1e-12 * aa * bb {
      gains[gainA] = Float((sa * bb - sb * ab) / determinant)
      gains[gainB] = Float((sb * aa - sa * ab) / determinant)
    } else {
      gains[gainA] = Float(sa / aa)
      if gainB < 4 { gains[gainB] = 0 }
    }
  }

  @_noLocks private func four(_ samples: UnsafePointer<Float>) -> SIMD4<Double> {
    SIMD4(Double(samples[0]), Double(samples[1]), Double(samples[2]), Double(samples[3]))
  }

  @_noLocks private func gain(_ index: Int, _ gains: SIMD4<Float>) -> Float {
    index < 4 ? gains[index] : 0
  }
}
