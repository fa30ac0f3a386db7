/// Converts float samples to integers.
///
/// 16 bits are dithered: triangular noise of ±1 unit is added before rounding, so that the error is noise of constant
/// power (a quarter of a unit squared: −98.1 dB below a full-scale sine), independent of the signal. The same seed
/// gives the same bytes for any block lengths. 24 bits are rounded: the error is below the noise of any converter.
///
/// Full scale 1 is 32768 or 8388608, so that decoding with that divisor restores the level. Samples are clamped to the
/// largest integer, which is one less.
///
/// Source: Lipshitz, Wannamaker, Vanderkooy, "Quantization and Dither: A Theoretical Survey", J. Audio Eng. Soc. 40
/// (1992).
struct Quantizer {
  private var noise: TriangularNoise

  init(seed: UInt64) {
    noise = TriangularNoise(seed: seed)
  }

  mutating func convert(_ source: [Float], count: Int, to target: inout [Int16]) {
    source.withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        for index in 0..<count {
          let noisy = Double(source[index]) * 32768 + noise.next()
          target[index] = Int16(max(-32768, min(32767, Self.rounded(noisy))))
        }
      }
    }
  }

  /// Fills the upper 24 bits of each integer.
  func convert(_ source: [Float], count: Int, to target: inout [Int32]) {
    source.withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        for index in 0..<count {
          let level = Self.rounded(Double(source[index]) * 8_388_608)
          target[index] = Int32(max(-8_388_608, min(8_388_607, level))) << 8
        }
      }
    }
  }

  /// Rounds to nearest, ties to even, without a call: next to 1.5 · 2⁵² a double has no fraction bits. Magnitudes from
  /// 2⁵¹ on are wrong, but far beyond full scale.
  static func rounded(_ value: Double) -> Double {
    (value + 0x1.8p52) - 0x1.8p52
  }
}
