import CRealtime

/// A channel of a block as the sum of one or two others, each times a gain, but for a few units in the
/// last place.
///
/// Left and right, and the two sends, are a voice's one signal times its gains. Of one voice right is
/// left times a gain; of two voices, such as the halves of a stereo sample, each send is a sum of
/// left and right. The library adds in double precision, we reckon in single: that is what
/// the difference comes from, and why it is small.
struct DerivedChannel {
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
  /// - Returns: `nil` if some differ by more than a byte holds; else whether any does.
  @_noLocks func derive(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>,
    to differences: UnsafeMutablePointer<Int8>
  ) -> Bool? {
    if let differs = compare(samples, gains, to: differences) { return differs }
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
  ) -> Bool? {
    let (gainA, gainB) = (gain(gainA, gains), gain(gainB, gains))
    var all: Int32 = 0
    var reach: UInt32 = 0
    for i in 0..<Lane.blockFrames {
      let sum = gainA * a[i] + gainB * b[i]
      let difference =
        Int32(bitPattern: samples[i].bitPattern) &- Int32(bitPattern: sum.bitPattern)
      all |= difference
      reach |= UInt32(bitPattern: difference &+ 128)
      differences[i] = Int8(truncatingIfNeeded: difference)
    }
    return reach < 256 ? all != 0 : nil
  }

  /// The gains with which the sum comes nearest, by least squares.
  @_noLocks private func estimate(
    _ samples: UnsafeMutablePointer<Float>, _ gains: inout SIMD4<Float>
  ) {
    var (aa, bb, ab, sa, sb) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in 0..<Lane.blockFrames {
      let (x, y, s) = (Double(a[i]), Double(b[i]), Double(samples[i]))
      aa += x * x
      bb += y * y
      ab += x * y
      sa += x * s
      sb += y * s
    }
    let determinant = aa * bb - ab * ab
    if gainB < 4, determinant > 1e-12 * aa * bb {
      gains[gainA] = Float((sa * bb - sb * ab) / determinant)
      gains[gainB] = Float((sb * aa - sa * ab) / determinant)
    } else {
      gains[gainA] = Float(sa / aa)
      if gainB < 4 { gains[gainB] = 0 }
    }
  }

  @_noLocks private func gain(_ index: Int, _ gains: SIMD4<Float>) -> Float {
    index < 4 ? gains[index] : 0
  }
}
