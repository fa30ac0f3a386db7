/// A writer of little-endian values and RIFF chunks.
///
/// Source: Microsoft and IBM, *Multimedia Programming Interface and Data Specifications 1.0*, 1991.
struct RIFFBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ raw: [UInt8]) { bytes += raw }

  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ value: Int16) { append(UInt16(bitPattern: value)) }

  mutating func append(_ value: UInt32) {
    append(UInt16(truncatingIfNeeded: value))
    append(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Appends text in a field of fixed size, padded with zeros, at least one.
  mutating func append(_ text: String, fieldSize: Int) {
    let utf8 = Array(text.utf8.prefix(fieldSize - 1))
    bytes += utf8 + [UInt8](repeating: 0, count: fieldSize - utf8.count)
  }

  /// Appends a chunk: four letters, the size and the content. The content's size must be even, so that no pad byte
  /// is needed.
  mutating func append(chunk id: String, _ content: [UInt8]) {
    precondition(content.count.isMultiple(of: 2), "a chunk's content must have an even size")
    bytes += Array(id.utf8)
    append(UInt32(content.count))
    bytes += content
  }

  /// Appends a chunk whose content is a form or list type followed by chunks.
  mutating func append(list id: String, type: String, _ chunks: RIFFBytes) {
    append(chunk: id, Array(type.utf8) + chunks.bytes)
  }

  /// Appends a chunk of text, terminated by one or two zeros so that its size is even.
  mutating func append(chunk id: String, text: String) {
    let utf8 = Array(text.utf8)
    append(chunk: id, utf8 + [UInt8](repeating: 0, count: utf8.count.isMultiple(of: 2) ? 2 : 1))
  }
}
