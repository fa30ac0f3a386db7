import CFluidSynthOverrides
import CRender

/// A channel of a block as the sum of one or two others, each times a gain, but for a few units in the
/// last place.
///
/// Left and right, and the two sends, are a voice's one signal times its gains. Of one voice right is
/// left times a gain; of two voices, such as the halves of a stereo sample, each send is a sum of
/// left and right. The library adds in double precision, we reckon in single: that is what
/// the difference comes from, and why it is small.
struct PredictedChannel {
  private let a: UnsafePointer<Float>
  private let b: UnsafePointer<Float>
  /// Which of a block's four gains belongs to `a`, and which to `b`; 4 is none.
  private let gainA: Int
  private let gainB: Int

  /// - Parameters:
  ///   - channel: 0…3: left, right, reverb send, chorus send.
  ///   - heard: The channels before it.
  /// - Returns: `nil` for a channel that there is nothing to derive from.
  @_noLocks init?(_ channel: Int, of heard: HeardChannels) {
    if channel == 3, let reverbSend = heard.reverbSend {
      (a, b, gainA, gainB) = (reverbSend, reverbSend, 3, 4)
    } else if channel > 1, let left = heard.left, let right = heard.right {
      (a, b, gainA, gainB) = (left, right, 1, 2)
    } else if channel > 0, let one = heard.left ?? heard.right {
      (a, b, gainA, gainB) = (one, one, channel == 1 ? 0 : 1, 4)
    } else {
      return nil
    }
  }

  /// Finds out by how much `samples` differ from the sum.
  ///
  /// - Parameters:
  ///   - gains: Tried as they are, and changed if they do not do.
  ///   - differences: Gets a byte for each sample.
  /// - Returns: `nil` if some differ by more than a byte holds; else how many bits the differences
  ///   take, 0 if there are none.
  @_noLocks func derive(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>,
    to differences: UnsafeMutablePointer<Int8>
  ) -> Int? {
    if let bits = compare(samples, gains, to: differences) { return bits }
    estimate(samples, &gains)
    return compare(samples, gains, to: differences)
  }

  /// Writes the channel whose differences are kept; `nil` are none.
  @_noLocks func restore(
    _ samples: UnsafeMutablePointer<Float>, _ gains: SIMD4<Float>,
    _ differences: UnsafePointer<Int8>?
  ) {
    weighted_sum(
      a, gain(gainA, gains), b, gain(gainB, gains), differences, samples, Lane.blockFrames)
  }

  @_noLocks private func compare(
    _ samples: UnsafeMutablePointer<Float>, _ gains: SIMD4<Float>,
    to differences: UnsafeMutablePointer<Int8>
  ) -> Int? {
    let (gainA, gainB) = (gain(gainA, gains), gain(gainB, gains))
    var all: Int32 = 0
    var (two, four, eight) = (UInt32(0), UInt32(0), UInt32(0))
    for i in 0..<Lane.blockFrames {
      let sum = gainA * a[i] + gainB * b[i]
      let difference =
        Int32(bitPattern: samples[i].bitPattern) &- Int32(bitPattern: sum.bitPattern)
      all |= difference
      two |= UInt32(bitPattern: difference &+ 2)
      four |= UInt32(bitPattern: difference &+ 8)
      eight |= UInt32(bitPattern: difference &+ 128)
      differences[i] = Int8(truncatingIfNeeded: difference)
    }
    return all == 0 ? 0 : ResidualBits.bits(two: two, four: four, eight: eight)
  }

  /// The gains with which the sum comes nearest, by least squares.
  @_noLocks private func estimate(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>
  ) {
    let zero = SIMD4<Double>(repeating: 0)
    var sums = (zero, zero, zero, zero, zero)
    // Four at a time: a sum of doubles waits for the one before.
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
