import CZlib

/// Writes an opaque picture as PNG, row by row.
///
/// Cairo can, too, but with filters that take four times as long for pictures of this kind, and make them
/// a third larger: here rows go to the compressor as they are.
///
/// Source: ISO/IEC 15948, *Portable Network Graphics*.
struct PNGWriter: ~Copyable {
  private let take: (UnsafeRawBufferPointer) -> Bool
  /// zlib refuses a stream that has moved.
  private let stream: UnsafeMutablePointer<z_stream>
  private var packed = [UInt8](repeating: 0, count: 1 << 16)
  private var row: [UInt8]
  private let width: Int

  /// - Parameters:
  ///   - width: Pixels to a row, 1 or more.
  ///   - height: Rows, as many as are going to be written.
  ///   - take: Gets the file's bytes in order; `false` ends it.
  init(
    width: Int, height: Int, to take: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(PictureError) {
    self.take = take
    self.width = width
    row = Array(repeating: 0, count: 1 + 3 * width)
    let version = CInt(MemoryLayout<z_stream>.size)
    // Level 2: higher ones take twice as long for a tenth of the size.
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    if deflateInit_(stream, 2, ZLIB_VERSION, version) != Z_OK { throw .drawing("no memory") }
    try pass([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // Eight bits each of red, green and blue; deflate; filters chosen row by row; not interlaced.
    try chunk("IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [8, 2, 0, 0, 0])
    // The colours are sRGB.
    try chunk("sRGB", [0])
    try chunk("tEXt", Array("Software\0Portative".utf8))
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// - Parameter pixels: As `Color.pixel` has them.
  mutating func write(_ pixels: UnsafePointer<UInt32>) throws(PictureError) {
    // The first byte stays 0: no filter.
    row.withUnsafeMutableBufferPointer { row in
      for x in 0..<width {
        row[1 + 3 * x] = UInt8(truncatingIfNeeded: pixels[x] >> 16)
        row[2 + 3 * x] = UInt8(truncatingIfNeeded: pixels[x] >> 8)
        row[3 + 3 * x] = UInt8(truncatingIfNeeded: pixels[x])
      }
    }
    try compress(row, Z_NO_FLUSH)
  }

  /// Writes what is left, when all rows were written.
  mutating func finish() throws(PictureError) {
    try compress([], Z_FINISH)
    try chunk("IEND", [])
  }

  private mutating func compress(_ bytes: [UInt8], _ flush: CInt) throws(PictureError) {
    var bytes = bytes
    var left = bytes.count
    var isFull: Bool
    repeat {
      let capacity = packed.count
      let (used, made) = bytes.withUnsafeMutableBufferPointer { input in
        packed.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_in = input.baseAddress.map { $0 + (input.count - left) }
          stream.pointee.avail_in = UInt32(left)
          stream.pointee.next_out = output.baseAddress.map { $0 + filled }
          stream.pointee.avail_out = UInt32(capacity - filled)
          let status = deflate(stream, flush)
          precondition(status != Z_STREAM_ERROR, "the compressor's state is broken")
          return (
            left - Int(stream.pointee.avail_in), capacity - filled - Int(stream.pointee.avail_out)
          )
        }
      }
      left -= used
      filled += made
      isFull = filled == capacity
      if isFull || (flush == Z_FINISH && filled > 0) {
        try chunk("IDAT", Array(packed[..<filled]))
        filled = 0
      }
    } while isFull || left > 0
  }
  /// Bytes of `packed` that are not written yet.
  private var filled = 0

  private func chunk(_ name: String, _ content: [UInt8]) throws(PictureError) {
    let body = Array(name.utf8) + content
    let check = UInt32(truncatingIfNeeded: crc32(0, body, UInt32(body.count)))
    try pass(Self.bytes(UInt32(content.count)) + body + Self.bytes(check))
  }

  private func pass(_ bytes: [UInt8]) throws(PictureError) {
    if !bytes.withUnsafeBytes(take) { throw .notTaken }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
