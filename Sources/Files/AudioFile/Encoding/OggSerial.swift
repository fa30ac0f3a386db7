/// Sets the serial number in every page of an Ogg stream.
///
/// libsndfile derives it from the clock, so the same audio would never give the same bytes. Pages are collected,
/// renumbered, and their checksums recalculated.
///
/// Source: RFC 3533, 6, "The Ogg page format".
struct OggSerial {
  let serial: UInt32
  private var page: [UInt8] = []

  init(serial: UInt32) {
    self.serial = serial
  }

  /// Appends bytes in portions of any size, and writes complete pages.
  ///
  /// - Returns: Whether all writes succeeded.
  mutating func renumber(
    _ bytes: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    page.append(contentsOf: bytes)
    var isWritten = true
    while isWritten, let size = pageSize {
      Self.store(serial, in: &page, at: 14)
      Self.store(0, in: &page, at: 22)
      Self.store(Self.checksum(page[..<size]), in: &page, at: 22)
      isWritten = page.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<size])) }
      page.removeFirst(size)
    }
    return isWritten
  }

  /// The size of the first page, if it is complete: a header of 27 bytes, a table of segment sizes, and the segments.
  private var pageSize: Int? {
    guard page.count >= 27 else { return nil }
    let bodyStart = 27 + Int(page[26])
    guard page.count >= bodyStart else { return nil }
    let size = page[27..<bodyStart].reduce(bodyStart) { $0 + Int($1) }
    return page.count >= size ? size : nil
  }

  private static func store(_ value: UInt32, in page: inout [UInt8], at offset: Int) {
    for byte in 0..<4 { page[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }

  /// CRC-32 with polynomial 0x04C11DB7, neither reflected nor inverted.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 ^ table[Int(UInt8($0 >> 24) ^ $1)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value << 1 ^ (value & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7)
    }
  }
}
