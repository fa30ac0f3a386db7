/// Gives every page of an Ogg stream the serial number we choose.
///
/// libsndfile draws it from the clock and cannot be told, so the same audio would never give the
/// same bytes twice. Pages are collected, renumbered, and their checksum made anew.
///
/// Source: RFC 3533, 6, "The Ogg page format".
struct OggSerial {
  let serial: UInt32
  private var page: [UInt8] = []

  init(serial: UInt32) {
    self.serial = serial
  }

  /// Takes bytes in any portions and gives whole pages.
  mutating func renumber(
    _ bytes: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    page.append(contentsOf: bytes)
    var taken = true
    while taken, let size = pageSize {
      Self.store(serial, in: &page, at: 14)
      Self.store(0, in: &page, at: 22)
      Self.store(Self.checksum(page[..<size]), in: &page, at: 22)
      taken = page.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<size])) }
      page.removeFirst(size)
    }
    return taken
  }

  /// The size of the page at the front, once all of it is here: a header of 27 bytes, a table of
  /// segment sizes, and the segments.
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
