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
