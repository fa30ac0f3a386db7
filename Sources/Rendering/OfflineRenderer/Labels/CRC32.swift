/// The checksum of files in archives.
///
/// Source: ISO/IEC/IEEE 8802-3, 3.2.9, with the reflected polynomial.
enum CRC32 {
  private static let table = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 {
      let isOdd = value & 1 == 1
      value >>= 1
      if isOdd { value ^= 0xEDB8_8320 }
    }
    return value
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    var value = ~UInt32(0)
    for byte in bytes {
      let index = Int(UInt8(truncatingIfNeeded: value) ^ byte)
      value = table[index] ^ (value >> 8)
    }
    return ~value
  }
}
