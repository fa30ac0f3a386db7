/// A chunk of a RIFF file, by the place of its content.
///
/// Source: Microsoft and IBM, *Multimedia Programming Interface and Data Specifications 1.0*, 1991.
struct RIFFChunk {
  let id: String
  let content: Range<Int>

  /// Reads the header of the chunk at `position`.
  ///
  /// - Returns: `nil` where there is none, or its content ends behind `limit`.
  init?(_ file: SampleFile, at position: Int, limit: Int) {
    guard position + 8 <= limit, let header = file.bytes(position..<position + 8) else {
      return nil
    }
    id = String(decoding: header[..<4], as: UTF8.self)
    let end = position + 8 + Int(header.uint32(at: 4))
    guard end <= limit else { return nil }
    content = position + 8..<end
  }

  /// A list's chunks in the order of the file; `nil` where one is damaged.
  ///
  /// - Parameter type: The four letters that a list's content begins with.
  func chunks(_ file: SampleFile, type: String) -> [RIFFChunk]? {
    let start = content.lowerBound
    guard content.count >= 4, let letters = file.bytes(start..<start + 4),
      String(decoding: letters, as: UTF8.self) == type
    else { return nil }
    var chunks: [RIFFChunk] = []
    var position = start + 4
    while position < content.upperBound {
      guard let chunk = RIFFChunk(file, at: position, limit: content.upperBound) else { return nil }
      chunks.append(chunk)
      position = chunk.content.upperBound
    }
    return chunks
  }
}

extension [UInt8] {
  func uint16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  func uint32(at index: Int) -> UInt32 {
    UInt32(uint16(at: index)) | UInt32(uint16(at: index + 2)) << 16
  }
}
