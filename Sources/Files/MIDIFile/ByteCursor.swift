/// A place in bytes that are read from front to back, and never past `end`.
///
/// The bytes must outlive the cursor. All reading of a file goes through here, so that every bound
/// is checked in one place: the buffer itself checks none in a release build.
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

  /// Takes one byte; `nil` at the end.
  @inline(__always)
  mutating func next() -> UInt8? {
    guard position < end else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  /// Takes `count` bytes; `nil`, and nothing taken, where fewer are left.
  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Takes a big-endian number of `count` bytes, 1…4.
  mutating func bigEndian(_ count: Int) -> UInt32? {
    take(count)?.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Takes a variable-length quantity, seven bits to a byte, of any length.
  ///
  /// - Returns: `nil` where the bytes end inside it. `value` is `nil` above 2²⁸ − 1, the most that
  ///   the standard allows; more than four bytes are then allowed to begin with zeros.
  @inline(__always)
  mutating func quantity() -> (value: Int?, byteCount: Int)? {
    guard let first = next() else { return nil }
    return first < 0x80 ? (Int(first), 1) : quantity(after: first)
  }

  private mutating func quantity(after first: UInt8) -> (value: Int?, byteCount: Int)? {
    let start = position - 1
    var value = Int(first & 0x7F)
    while let byte = next() {
      // Once too large it stays so, however many bytes follow, and cannot overflow.
      value = value < 1 << 28 ? value << 7 | Int(byte & 0x7F) : value
      if byte < 0x80 { return (value < 1 << 28 ? value : nil, position - start) }
    }
    return nil
  }
}
