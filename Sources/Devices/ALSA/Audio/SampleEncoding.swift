/// The sample encodings that we can write, the best first.
///
/// The corresponding C type is `snd_pcm_format_t`.
enum SampleEncoding: CaseIterable, Sendable, BitwiseCopyable {
  case float32
  case integer32
  /// 24 bits in the lower three bytes of four.
  case integer24
  case packed24
  case integer16

  /// Bytes of a sample in memory.
  var size: Int {
    @_noLocks get {
      switch self {
      case .float32, .integer32, .integer24: 4
      case .packed24: 3
      case .integer16: 2
      }
    }
  }

  var name: String {
    switch self {
    case .float32: "32 bits float"
    case .integer32: "32 bits"
    case .integer24, .packed24: "24 bits"
    case .integer16: "16 bits"
    }
  }
}

extension SampleEncoding {
  /// Reads a sample in the device's encoding; full scale is ±1.
  func sample(at source: UnsafeRawPointer) -> Float {
    let unit: Float = 1 / 2_147_483_648
    switch self {
    case .float32: return source.loadUnaligned(as: Float.self)
    case .integer32: return Float(Int32(littleEndian: source.loadUnaligned(as: Int32.self))) * unit
    case .integer24:
      // The fourth byte is undefined.
      return Float(Int32(littleEndian: source.loadUnaligned(as: Int32.self)) << 8) * unit
    case .packed24:
      let low = UInt16(littleEndian: source.loadUnaligned(as: UInt16.self))
      let high = source.load(fromByteOffset: 2, as: UInt8.self)
      return Float(Int32(bitPattern: UInt32(high) << 24 | UInt32(low) << 8)) * unit
    case .integer16:
      return Float(Int16(littleEndian: source.loadUnaligned(as: Int16.self))) / 32_768
    }
  }
}

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
