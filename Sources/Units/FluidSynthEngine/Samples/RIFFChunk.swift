/// The identifier of a RIFF chunk and the range of its content in the file.
///
/// Source: Microsoft and IBM, *Multimedia Programming Interface and Data Specifications 1.0*, 1991.
struct RIFFChunk {
  let id: String
  let content: Range<Int>

  /// Reads the header of the chunk at `position`.
  ///
  /// - Returns: `nil` if there is no chunk, or if its content ends after `limit`.
  init?(_ file: SampleFile, at position: Int, limit: Int) {
    guard position + 8 <= limit, let header = file.bytes(position..<position + 8) else {
      return nil
    }
    id = String(decoding: header[..<4], as: UTF8.self)
    let end = position + 8 + Int(header.uint32(at: 4))
    guard end <= limit else { return nil }
    content = position + 8..<end
  }

  /// Returns the chunks of a list in file order; `nil` if one is damaged.
  ///
  /// - Parameter type: The list type: the four characters at the start of the list's content.
  func chunks(_ file: SampleFile, type: String) -> [RIFFChunk]? {
    let start = content.lowerBound
    guard content.count >= 4, let characters = file.bytes(start..<start + 4),
      String(decoding: characters, as: UTF8.self) == type
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

extension Collection<UInt8> where Index == Int {
  func uint16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  func uint32(at index: Int) -> UInt32 {
    UInt32(uint16(at: index)) | UInt32(uint16(at: index + 2)) << 16
  }
}
