/// An archive of uncompressed files, without their times. It has the same bytes for the same files.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.
struct ZipArchive {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0

  /// - Parameters:
  ///   - name: In ASCII.
  ///   - content: Less than 4 GiB, with all other files.
  mutating func add(_ name: String, _ content: [UInt8]) {
    let offset = UInt32(bytes.count)
    var common: [UInt8] = []
    // Version, flags, method 0 (stored), time, and the date 1 January 1980.
    for value in [UInt16(20), 0, 0, 0, 33] { Self.append(value, to: &common) }
    for value in [CRC32.of(content), UInt32(content.count), UInt32(content.count)] {
      Self.append(value, to: &common)
    }
    Self.append(UInt16(name.utf8.count), to: &common)
    Self.append(UInt16(0), to: &common)

    Self.append(UInt32(0x0403_4B50), to: &bytes)
    bytes += common + Array(name.utf8) + content

    Self.append(UInt32(0x0201_4B50), to: &directory)
    Self.append(UInt16(20), to: &directory)
    directory += common
    for value in [UInt16(0), 0, 0] { Self.append(value, to: &directory) }
    for value in [UInt32(0), offset] { Self.append(value, to: &directory) }
    directory += Array(name.utf8)
    count += 1
  }

  /// Returns the bytes of the archive.
  consuming func finish() -> [UInt8] {
    let start = UInt32(bytes.count)
    bytes += directory
    Self.append(UInt32(0x0605_4B50), to: &bytes)
    for value in [UInt16(0), 0, count, count] { Self.append(value, to: &bytes) }
    for value in [UInt32(directory.count), start] { Self.append(value, to: &bytes) }
    Self.append(UInt16(0), to: &bytes)
    return bytes
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

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
