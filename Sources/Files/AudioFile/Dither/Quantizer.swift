/// Turns float samples into integers, and counts what does not fit.
///
/// 16 bits are dithered: noise of triangular density, two units wide to either side's one, is added
/// before rounding, so that the error is noise of constant power (a quarter of a unit squared:
/// −98.1 dB below a full-scale sine) that knows nothing of the music. The same seed gives the same
/// bytes, however the samples were cut into blocks.
/// 24 bits are rounded: their error lies below the noise of any converter.
///
/// Full scale 1 is 32768 or 8388608, so that decoding by that divisor gives the level back; the
/// largest integer is one less, where samples stop.
///
/// Source: Lipshitz, Wannamaker, Vanderkooy, "Quantization and Dither: A Theoretical Survey",
/// J. Audio Eng. Soc. 40 (1992).
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

  /// To the nearest whole number, halves to even ones, without a call: beside 1.5 · 2⁵² a double
  /// has no room for a fraction. Sizes from 2⁵¹ on come out wrong, but far beyond full scale.
  static func rounded(_ value: Double) -> Double {
    (value + 0x1.8p52) - 0x1.8p52
  }
}
