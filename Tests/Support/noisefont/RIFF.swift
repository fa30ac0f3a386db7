/// Little-endian bytes and the chunks of RIFF.
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

  /// Text in a field of fixed size, zero-filled, with at least one zero at its end.
  mutating func append(_ text: String, fieldSize: Int) {
    let utf8 = Array(text.utf8.prefix(fieldSize - 1))
    bytes += utf8 + [UInt8](repeating: 0, count: fieldSize - utf8.count)
  }

  /// A chunk: four letters, the size, the content. Content is kept even, so no pad byte is needed.
  mutating func append(chunk id: String, _ content: [UInt8]) {
    precondition(content.count.isMultiple(of: 2), "a chunk's content must have an even size")
    bytes += Array(id.utf8)
    append(UInt32(content.count))
    bytes += content
  }

  /// A chunk whose content is a form or list type followed by chunks.
  mutating func append(list id: String, type: String, _ chunks: RIFFBytes) {
    append(chunk: id, Array(type.utf8) + chunks.bytes)
  }

  /// A chunk of text, ended by one or two zeros, whichever makes its size even.
  mutating func append(chunk id: String, text: String) {
    let utf8 = Array(text.utf8)
    append(chunk: id, utf8 + [UInt8](repeating: 0, count: utf8.count.isMultiple(of: 2) ? 2 : 1))
  }
}
