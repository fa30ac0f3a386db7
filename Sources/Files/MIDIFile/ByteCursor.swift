/// Reads bytes from front to back, never past `end`.
///
/// The bytes must outlive the cursor. A file is read only through this type, so that all bounds are checked in one
/// place: the buffer itself checks none in a release build.
struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  let end: Int

  /// - Precondition: `range` is within `bytes`.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    self.position = range.lowerBound
    self.end = range.upperBound
  }

  var remaining: Int { end - position }

  /// Reads one byte; `nil` at the end.
  @inline(__always)
  mutating func next() -> UInt8? {
    guard position < end else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads `count` bytes. Returns `nil` without reading if fewer remain.
  mutating func read(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Reads a big-endian number of `count` bytes, 1…4.
  mutating func bigEndian(_ count: Int) -> UInt32? {
    read(count)?.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads a variable-length quantity, seven bits per byte, of any length.
  ///
  /// - Returns: `nil` if the bytes end inside it. `value` is `nil` if it exceeds 2²⁸ − 1, the maximum of the
  ///   standard; more than four bytes are accepted if they start with zeros.
  @inline(__always)
  mutating func quantity() -> (value: Int?, byteCount: Int)? {
    guard let first = next() else { return nil }
    return first < 0x80 ? (Int(first), 1) : quantity(after: first)
  }

  private mutating func quantity(after first: UInt8) -> (value: Int?, byteCount: Int)? {
    let start = position - 1
    var value = Int(first & 0x7F)
    while let byte = next() {
      // Once too large, the value no longer changes, so that further bytes cannot overflow it.
      value = value < 1 << 28 ? value << 7 | Int(byte & 0x7F) : value
      if byte < 0x80 { return (value < 1 << 28 ? value : nil, position - start) }
    }
    return nil
  }
}
