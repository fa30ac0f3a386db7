/// Full scale 1 corresponds to 2^(bits − 1). Samples are clamped to the largest integer, which is one less. NaN becomes
/// silence.
///
/// Integers are rounded without dither, also at 16 bits. Silence stays exactly zero, so that a device can suspend, and
/// 16-bit samples pass through unchanged. Files are dithered because they are processed further; here the rounding
/// error, 98 dB below full scale, is masked by room noise.
///
/// Realtime: yes.
extension SampleEncoding {
  /// Writes samples of one channel.
  ///
  /// - Parameters:
  ///   - target: The address of the first sample.
  ///   - step: Bytes from one sample to the next.
  @_noLocks
  func write(
    _ source: UnsafePointer<Float>, count: Int, to target: UnsafeMutableRawPointer, step: Int
  ) {
    var target = target
    for index in 0..<count {
      write(source[index], to: target)
      target += step
    }
  }

  @_noLocks private func write(_ sample: Float, to target: UnsafeMutableRawPointer) {
    switch self {
    case .float32:
      let level = Float(Self.saturated(sample, scale: 1, most: 1))
      target.storeBytes(of: level, as: Float.self)
    case .integer32:
      target.storeBytes(
        of: Self.integer(sample, scale: 2_147_483_648).littleEndian, as: Int32.self)
    case .integer24:
      target.storeBytes(of: Self.integer(sample, scale: 8_388_608).littleEndian, as: Int32.self)
    case .packed24:
      let level = UInt32(bitPattern: Self.integer(sample, scale: 8_388_608))
      target.storeBytes(of: UInt16(truncatingIfNeeded: level).littleEndian, as: UInt16.self)
      target.storeBytes(of: UInt8(truncatingIfNeeded: level >> 16), toByteOffset: 2, as: UInt8.self)
    case .integer16:
      let level = Int16(truncatingIfNeeded: Self.integer(sample, scale: 32_768))
      target.storeBytes(of: level.littleEndian, as: Int16.self)
    }
  }

  @_noLocks private static func integer(_ sample: Float, scale: Double) -> Int32 {
    // Rounds to nearest, ties to even, without a call: next to 1.5 · 2⁵² a double has no fraction bits.
    let level = saturated(sample, scale: scale, most: scale - 1)
    return Int32((level + 0x1.8p52) - 0x1.8p52)
  }

  @_noLocks private static func saturated(_ sample: Float, scale: Double, most: Double) -> Double {
    let level = Double(sample) * scale
    if level >= most { return most }
    if level <= -scale { return -scale }
    return level == level ? level : 0
  }
}
